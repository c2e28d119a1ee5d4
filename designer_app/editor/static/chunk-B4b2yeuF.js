<<<<<<< HEAD:designer_app/editor/static/chunk-B4b2yeuF.js
import{_o as e}from"./chunk-DMMsxLSq.js";var t=18e4;async function n(e){return(await e.ask(`GET /environments`,{})).environments}async function r(n,r){let i=AbortSignal.timeout(t),a=await n.send(`POST /environments`,{body:r},{signal:i});return e(a)}async function i(e,t){await e.ask(`POST /environments/{environment}/build`,{path:{environment:t}})}export{r as n,n as r,i as t};
=======
<<<<<<<< HEAD:designer_app/editor/static/chunk-KGSggE4-.js
import{ho as e}from"./chunk-BXencsGv.js";var t=18e4;async function n(e){return(await e.ask(`GET /environments`,{})).environments}async function r(n,r){let i=AbortSignal.timeout(t),a=await n.send(`POST /environments`,{body:r},{signal:i});return e(a)}async function i(e,t){await e.ask(`POST /environments/{environment}/build`,{path:{environment:t}})}export{r as n,n as r,i as t};
========
import{_o as e}from"./chunk-Bbm_3cYo.js";var t=18e4;async function n(e){return(await e.ask(`GET /environments`,{})).environments}async function r(n,r){let i=AbortSignal.timeout(t),a=await n.send(`POST /environments`,{body:r},{signal:i});return e(a)}async function i(e,t){await e.ask(`POST /environments/{environment}/build`,{path:{environment:t}})}export{r as n,n as r,i as t};
>>>>>>>> d14379e1 (Refused wires and missing inputs name types in words; Home says when other work takes the cores; a spinner takes eight steps a turn):designer_app/editor/static/chunk-ChAv8vAV.js
>>>>>>> 7f174432 (Refused wires and missing inputs name types in words; Home says when other work takes the cores; a spinner takes eight steps a turn):designer_app/editor/static/chunk-KGSggE4-.js
