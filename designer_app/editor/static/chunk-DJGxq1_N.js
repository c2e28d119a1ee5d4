<<<<<<<< HEAD:designer_app/editor/static/chunk-DJGxq1_N.js
import{_a as e}from"./chunk-C01_Oxgt.js";var t=18e4;async function n(e){return(await e.ask(`GET /environments`,{})).environments}async function r(n,r){let i=AbortSignal.timeout(t),a=await n.send(`POST /environments`,{body:r},{signal:i});return e(a)}async function i(e,t){await e.ask(`POST /environments/{environment}/build`,{path:{environment:t}})}export{r as n,n as r,i as t};
========
import{va as e}from"./chunk-DP-Mke9V.js";var t=18e4;async function n(e){return(await e.ask(`GET /environments`,{})).environments}async function r(n,r){let i=AbortSignal.timeout(t),a=await n.send(`POST /environments`,{body:r},{signal:i});return e(a)}async function i(e,t){await e.ask(`POST /environments/{environment}/build`,{path:{environment:t}})}export{r as n,n as r,i as t};
>>>>>>>> 0f1a6a5 (One maker of nodes, one description of a document's own modules, one editor to look at only):designer_app/editor/static/chunk-Cnm7niY9.js
