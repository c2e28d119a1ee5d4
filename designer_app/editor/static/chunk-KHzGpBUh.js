<<<<<<<< HEAD:designer_app/editor/static/chunk-KHzGpBUh.js
import{Sa as e}from"./chunk-DYLEWiKv.js";var t=18e4;async function n(e){return(await e.ask(`GET /environments`,{})).environments}async function r(n,r){let i=AbortSignal.timeout(t),a=await n.send(`POST /environments`,{body:r},{signal:i});return e(a)}async function i(e,t){await e.ask(`POST /environments/{environment}/build`,{path:{environment:t}})}export{r as n,n as r,i as t};
========
import{wa as e}from"./chunk-Cc6eI0iZ.js";var t=18e4;async function n(e){return(await e.ask(`GET /environments`,{})).environments}async function r(n,r){let i=AbortSignal.timeout(t),a=await n.send(`POST /environments`,{body:r},{signal:i});return e(a)}async function i(e,t){await e.ask(`POST /environments/{environment}/build`,{path:{environment:t}})}export{r as n,n as r,i as t};
>>>>>>>> eb20d30 (Targets have a price and a tier, the timeline a lane for each rank, and logs of all ranks are searched together):designer_app/editor/static/chunk-CTbfx_GF.js
