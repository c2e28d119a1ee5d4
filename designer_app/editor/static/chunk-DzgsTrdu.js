<<<<<<<< HEAD:designer_app/editor/static/chunk-GGL2o578.js
import{t as e}from"./chunk-DO9lB2-L.js";var t={name:`circle-check`,size:24,node:[[`circle`,{cx:`12`,cy:`12`,r:`10`,key:`1mglay`}],[`path`,{d:`m16 9-5.5 5.5L8 12`,key:`xofnsj`}]],aliases:[`check-circle-2`]};t.node;var n=e(t);export{n as t};
========
import{t as e}from"./chunk-BqvdKQiZ.js";var t={name:`circle-check`,size:24,node:[[`circle`,{cx:`12`,cy:`12`,r:`10`,key:`1mglay`}],[`path`,{d:`m16 9-5.5 5.5L8 12`,key:`xofnsj`}]],aliases:[`check-circle-2`]};t.node;var n=e(t);export{n as t};
>>>>>>>> a26ffcd (What opens from a dropped file says that it is a pipeline of its own and is tidied once its canvas is there; a split's footer no longer says what its ports do):designer_app/editor/static/chunk-DzgsTrdu.js
