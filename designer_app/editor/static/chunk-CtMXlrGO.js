<<<<<<<< HEAD:designer_app/editor/static/chunk-CtMXlrGO.js
import{t as e}from"./chunk-CVN5n1K0.js";var t={name:`circle-check`,size:24,node:[[`circle`,{cx:`12`,cy:`12`,r:`10`,key:`1mglay`}],[`path`,{d:`m16 9-5.5 5.5L8 12`,key:`xofnsj`}]],aliases:[`check-circle-2`]};t.node;var n=e(t);export{n as t};
========
import{t as e}from"./chunk-B2w-JxlK.js";var t={name:`circle-check`,size:24,node:[[`circle`,{cx:`12`,cy:`12`,r:`10`,key:`1mglay`}],[`path`,{d:`m16 9-5.5 5.5L8 12`,key:`xofnsj`}]],aliases:[`check-circle-2`]};t.node;var n=e(t);export{n as t};
>>>>>>>> 8c35c5ee (A pipeline's parameter is bound to a node inside a sub-pipeline by its path: one place could be set only through parameters of everything around it):designer_app/editor/static/chunk-D5FnU9FV.js
