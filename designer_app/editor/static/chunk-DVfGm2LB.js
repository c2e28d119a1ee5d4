<<<<<<<< HEAD:designer_app/editor/static/chunk-DVfGm2LB.js
import{t as e}from"./chunk-DksfP516.js";var t={name:`circle-check`,size:24,node:[[`circle`,{cx:`12`,cy:`12`,r:`10`,key:`1mglay`}],[`path`,{d:`m16 9-5.5 5.5L8 12`,key:`xofnsj`}]],aliases:[`check-circle-2`]};t.node;var n=e(t);export{n as t};
========
import{t as e}from"./chunk-clc4cFXG.js";var t={name:`circle-check`,size:24,node:[[`circle`,{cx:`12`,cy:`12`,r:`10`,key:`1mglay`}],[`path`,{d:`m16 9-5.5 5.5L8 12`,key:`xofnsj`}]],aliases:[`check-circle-2`]};t.node;var n=e(t);export{n as t};
>>>>>>>> 26e3a34 (Types and bundle made anew):designer_app/editor/static/chunk-Idpw1V7M.js
