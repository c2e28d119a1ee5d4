<<<<<<<< HEAD:designer_app/editor/static/chunk-CgUsMs8T.js
import{t as e}from"./chunk-lDqDIAXy.js";var t={name:`circle-check`,size:24,node:[[`circle`,{cx:`12`,cy:`12`,r:`10`,key:`1mglay`}],[`path`,{d:`m16 9-5.5 5.5L8 12`,key:`xofnsj`}]],aliases:[`check-circle-2`]};t.node;var n=e(t);export{n as t};
========
import{t as e}from"./chunk-CYm5vL2q.js";var t={name:`circle-check`,size:24,node:[[`circle`,{cx:`12`,cy:`12`,r:`10`,key:`1mglay`}],[`path`,{d:`m16 9-5.5 5.5L8 12`,key:`xofnsj`}]],aliases:[`check-circle-2`]};t.node;var n=e(t);export{n as t};
>>>>>>>> a7806cf (Tidy up leaves room for pictures, wires of one output share their line, panes have no empty tabs; what a card opens is below it on a telephone):designer_app/editor/static/chunk-BldblVie.js
