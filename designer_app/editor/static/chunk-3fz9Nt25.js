<<<<<<<< HEAD:designer_app/editor/static/chunk-CFruk7fM.js
import{ya as e}from"./chunk-BK1wtclT.js";var t=18e4;async function n(e){return(await e.ask(`GET /environments`,{})).environments}async function r(n,r){let i=AbortSignal.timeout(t),a=await n.send(`POST /environments`,{body:r},{signal:i});return e(a)}async function i(e,t){await e.ask(`POST /environments/{environment}/build`,{path:{environment:t}})}export{r as n,n as r,i as t};
========
import{ya as e}from"./chunk-DS3-eOMI.js";var t=18e4;async function n(e){return(await e.ask(`GET /environments`,{})).environments}async function r(n,r){let i=AbortSignal.timeout(t),a=await n.send(`POST /environments`,{body:r},{signal:i});return e(a)}async function i(e,t){await e.ask(`POST /environments/{environment}/build`,{path:{environment:t}})}export{r as n,n as r,i as t};
>>>>>>>> 26e3a34 (Types and bundle made anew):designer_app/editor/static/chunk-3fz9Nt25.js
