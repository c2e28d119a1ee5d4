<<<<<<<< HEAD:designer_app/editor/static/chunk-BiOheMyD.js
import{wa as e}from"./chunk-rdenLZau.js";var t=18e4;async function n(e){return(await e.ask(`GET /environments`,{})).environments}async function r(n,r){let i=AbortSignal.timeout(t),a=await n.send(`POST /environments`,{body:r},{signal:i});return e(a)}async function i(e,t){await e.ask(`POST /environments/{environment}/build`,{path:{environment:t}})}export{r as n,n as r,i as t};
========
import{Sa as e}from"./chunk-BBhodoV_.js";var t=18e4;async function n(e){return(await e.ask(`GET /environments`,{})).environments}async function r(n,r){let i=AbortSignal.timeout(t),a=await n.send(`POST /environments`,{body:r},{signal:i});return e(a)}async function i(e,t){await e.ask(`POST /environments/{environment}/build`,{path:{environment:t}})}export{r as n,n as r,i as t};
>>>>>>>> 00ce14f (Look into it is not offered for the model of a script that makes none):designer_app/editor/static/chunk-egu0TRPn.js
