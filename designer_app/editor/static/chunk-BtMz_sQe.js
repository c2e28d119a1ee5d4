<<<<<<<< HEAD:designer_app/editor/static/chunk-BtMz_sQe.js
import{t as e}from"./chunk-Bl_Vc_VS.js";var t={name:`download`,size:24,node:[[`path`,{d:`M12 15V3`,key:`m9g1x1`}],[`path`,{d:`M21 15v4a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2v-4`,key:`ih7n3h`}],[`path`,{d:`m7 10 5 5 5-5`,key:`brsn70`}]]};t.node;var n=e(t);export{n as t};
========
import{t as e}from"./chunk-D2BD642w.js";var t={name:`download`,size:24,node:[[`path`,{d:`M12 15V3`,key:`m9g1x1`}],[`path`,{d:`M21 15v4a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2v-4`,key:`ih7n3h`}],[`path`,{d:`m7 10 5 5 5-5`,key:`brsn70`}]]};t.node;var n=e(t);export{n as t};
>>>>>>>> eb20d30 (Targets have a price and a tier, the timeline a lane for each rank, and logs of all ranks are searched together):designer_app/editor/static/chunk-Cnnthm5N.js
