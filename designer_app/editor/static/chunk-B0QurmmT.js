<<<<<<<< HEAD:designer_app/editor/static/chunk-C4EwOlYM.js
import{t as e}from"./chunk-DO9lB2-L.js";var t={name:`search`,size:24,node:[[`path`,{d:`m21 21-4.34-4.34`,key:`14j7rj`}],[`circle`,{cx:`11`,cy:`11`,r:`8`,key:`4ej97u`}]]};t.node;var n=e(t);export{n as t};
========
import{t as e}from"./chunk-BqvdKQiZ.js";var t={name:`search`,size:24,node:[[`path`,{d:`m21 21-4.34-4.34`,key:`14j7rj`}],[`circle`,{cx:`11`,cy:`11`,r:`8`,key:`4ej97u`}]]};t.node;var n=e(t);export{n as t};
>>>>>>>> a26ffcd (What opens from a dropped file says that it is a pipeline of its own and is tidied once its canvas is there; a split's footer no longer says what its ports do):designer_app/editor/static/chunk-B0QurmmT.js
