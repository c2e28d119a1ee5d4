<<<<<<< HEAD:designer_app/editor/static/chunk-CnkbfinE.js
import{wa as e}from"./chunk-D6vxGcX-.js";var t=18e4;async function n(e){return(await e.ask(`GET /environments`,{})).environments}async function r(n,r){let i=AbortSignal.timeout(t),a=await n.send(`POST /environments`,{body:r},{signal:i});return e(a)}async function i(e,t){await e.ask(`POST /environments/{environment}/build`,{path:{environment:t}})}export{r as n,n as r,i as t};
=======
<<<<<<<< HEAD:designer_app/editor/static/chunk-BiOheMyD.js
import{wa as e}from"./chunk-rdenLZau.js";var t=18e4;async function n(e){return(await e.ask(`GET /environments`,{})).environments}async function r(n,r){let i=AbortSignal.timeout(t),a=await n.send(`POST /environments`,{body:r},{signal:i});return e(a)}async function i(e,t){await e.ask(`POST /environments/{environment}/build`,{path:{environment:t}})}export{r as n,n as r,i as t};
========
import{Sa as e}from"./chunk-2KNHYN5d.js";var t=18e4;async function n(e){return(await e.ask(`GET /environments`,{})).environments}async function r(n,r){let i=AbortSignal.timeout(t),a=await n.send(`POST /environments`,{body:r},{signal:i});return e(a)}async function i(e,t){await e.ask(`POST /environments/{environment}/build`,{path:{environment:t}})}export{r as n,n as r,i as t};
>>>>>>>> a7806cf (Tidy up leaves room for pictures, wires of one output share their line, panes have no empty tabs; what a card opens is below it on a telephone):designer_app/editor/static/chunk-DjqEahod.js
>>>>>>> f72b19b (Tidy up leaves room for pictures, wires of one output share their line, panes have no empty tabs; what a card opens is below it on a telephone):designer_app/editor/static/chunk-BiOheMyD.js
