<<<<<<<< HEAD:designer_app/editor/static/chunk-Fp3Y0z6E.js
import{t as e}from"./chunk-C99Z1Zw1.js";var t={name:`search`,size:24,node:[[`path`,{d:`m21 21-4.34-4.34`,key:`14j7rj`}],[`circle`,{cx:`11`,cy:`11`,r:`8`,key:`4ej97u`}]]};t.node;var n=e(t);export{n as t};
========
import{t as e}from"./chunk-CTtytjHy.js";var t={name:`search`,size:24,node:[[`path`,{d:`m21 21-4.34-4.34`,key:`14j7rj`}],[`circle`,{cx:`11`,cy:`11`,r:`8`,key:`4ej97u`}]]};t.node;var n=e(t);export{n as t};
>>>>>>>> 0f1a6a5 (One maker of nodes, one description of a document's own modules, one editor to look at only):designer_app/editor/static/chunk-BUgg1vut.js
