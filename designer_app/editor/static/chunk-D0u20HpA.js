<<<<<<<< HEAD:designer_app/editor/static/chunk-D_8iELQ1.js
import{t as e}from"./chunk-C99Z1Zw1.js";var t={name:`circle-check`,size:24,node:[[`circle`,{cx:`12`,cy:`12`,r:`10`,key:`1mglay`}],[`path`,{d:`m16 9-5.5 5.5L8 12`,key:`xofnsj`}]],aliases:[`check-circle-2`]};t.node;var n=e(t);export{n as t};
========
import{t as e}from"./chunk-CTtytjHy.js";var t={name:`circle-check`,size:24,node:[[`circle`,{cx:`12`,cy:`12`,r:`10`,key:`1mglay`}],[`path`,{d:`m16 9-5.5 5.5L8 12`,key:`xofnsj`}]],aliases:[`check-circle-2`]};t.node;var n=e(t);export{n as t};
>>>>>>>> 0f1a6a5 (One maker of nodes, one description of a document's own modules, one editor to look at only):designer_app/editor/static/chunk-D0u20HpA.js
