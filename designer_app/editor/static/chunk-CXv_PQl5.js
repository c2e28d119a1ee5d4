<<<<<<<< HEAD:designer_app/editor/static/chunk-cYDmDRgw.js
import{t as e}from"./chunk-lDqDIAXy.js";var t={name:`search`,size:24,node:[[`path`,{d:`m21 21-4.34-4.34`,key:`14j7rj`}],[`circle`,{cx:`11`,cy:`11`,r:`8`,key:`4ej97u`}]]};t.node;var n=e(t);export{n as t};
========
import{t as e}from"./chunk-CYm5vL2q.js";var t={name:`search`,size:24,node:[[`path`,{d:`m21 21-4.34-4.34`,key:`14j7rj`}],[`circle`,{cx:`11`,cy:`11`,r:`8`,key:`4ej97u`}]]};t.node;var n=e(t);export{n as t};
>>>>>>>> a7806cf (Tidy up leaves room for pictures, wires of one output share their line, panes have no empty tabs; what a card opens is below it on a telephone):designer_app/editor/static/chunk-Bmfm_oCZ.js
