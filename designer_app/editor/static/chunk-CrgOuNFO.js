<<<<<<<< HEAD:designer_app/editor/static/chunk-CrgOuNFO.js
import{t as e}from"./chunk-CVN5n1K0.js";var t={name:`search`,size:24,node:[[`path`,{d:`m21 21-4.34-4.34`,key:`14j7rj`}],[`circle`,{cx:`11`,cy:`11`,r:`8`,key:`4ej97u`}]]};t.node;var n=e(t);export{n as t};
========
import{t as e}from"./chunk-B2w-JxlK.js";var t={name:`search`,size:24,node:[[`path`,{d:`m21 21-4.34-4.34`,key:`14j7rj`}],[`circle`,{cx:`11`,cy:`11`,r:`8`,key:`4ej97u`}]]};t.node;var n=e(t);export{n as t};
>>>>>>>> 8c35c5ee (A pipeline's parameter is bound to a node inside a sub-pipeline by its path: one place could be set only through parameters of everything around it):designer_app/editor/static/chunk-BDWW8b_i.js
