<<<<<<< HEAD:designer_app/editor/static/chunk-D7Dqu3me.js
import{t as e}from"./chunk-CUnRB_vg.js";var t={name:`download`,size:24,node:[[`path`,{d:`M12 15V3`,key:`m9g1x1`}],[`path`,{d:`M21 15v4a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2v-4`,key:`ih7n3h`}],[`path`,{d:`m7 10 5 5 5-5`,key:`brsn70`}]]};t.node;var n=e(t);export{n as t};
=======
<<<<<<<< HEAD:designer_app/editor/static/chunk-CQqJ1lF0.js
import{t as e}from"./chunk-CVN5n1K0.js";var t={name:`download`,size:24,node:[[`path`,{d:`M12 15V3`,key:`m9g1x1`}],[`path`,{d:`M21 15v4a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2v-4`,key:`ih7n3h`}],[`path`,{d:`m7 10 5 5 5-5`,key:`brsn70`}]]};t.node;var n=e(t);export{n as t};
========
import{t as e}from"./chunk-Bv65ONyH.js";var t={name:`download`,size:24,node:[[`path`,{d:`M12 15V3`,key:`m9g1x1`}],[`path`,{d:`M21 15v4a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2v-4`,key:`ih7n3h`}],[`path`,{d:`m7 10 5 5 5-5`,key:`brsn70`}]]};t.node;var n=e(t);export{n as t};
>>>>>>>> d14379e1 (Refused wires and missing inputs name types in words; Home says when other work takes the cores; a spinner takes eight steps a turn):designer_app/editor/static/chunk-Q4CO2sRE.js
>>>>>>> 7f174432 (Refused wires and missing inputs name types in words; Home says when other work takes the cores; a spinner takes eight steps a turn):designer_app/editor/static/chunk-CQqJ1lF0.js
