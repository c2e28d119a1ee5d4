<<<<<<<< HEAD:designer_app/editor/static/chunk-CgeVJdZl.js
import{t as e}from"./chunk-DO9lB2-L.js";var t={name:`download`,size:24,node:[[`path`,{d:`M12 15V3`,key:`m9g1x1`}],[`path`,{d:`M21 15v4a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2v-4`,key:`ih7n3h`}],[`path`,{d:`m7 10 5 5 5-5`,key:`brsn70`}]]};t.node;var n=e(t);export{n as t};
========
import{t as e}from"./chunk-BqvdKQiZ.js";var t={name:`download`,size:24,node:[[`path`,{d:`M12 15V3`,key:`m9g1x1`}],[`path`,{d:`M21 15v4a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2v-4`,key:`ih7n3h`}],[`path`,{d:`m7 10 5 5 5-5`,key:`brsn70`}]]};t.node;var n=e(t);export{n as t};
>>>>>>>> a26ffcd (What opens from a dropped file says that it is a pipeline of its own and is tidied once its canvas is there; a split's footer no longer says what its ports do):designer_app/editor/static/chunk-DzngRgm6.js
