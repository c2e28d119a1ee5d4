<<<<<<<< HEAD:designer_app/editor/static/chunk-FVUIM6j-.js
import{t as e}from"./chunk-Bl_Vc_VS.js";var t={name:`circle-check`,size:24,node:[[`circle`,{cx:`12`,cy:`12`,r:`10`,key:`1mglay`}],[`path`,{d:`m16 9-5.5 5.5L8 12`,key:`xofnsj`}]],aliases:[`check-circle-2`]};t.node;var n=e(t);export{n as t};
========
import{t as e}from"./chunk-D2BD642w.js";var t={name:`circle-check`,size:24,node:[[`circle`,{cx:`12`,cy:`12`,r:`10`,key:`1mglay`}],[`path`,{d:`m16 9-5.5 5.5L8 12`,key:`xofnsj`}]],aliases:[`check-circle-2`]};t.node;var n=e(t);export{n as t};
>>>>>>>> eb20d30 (Targets have a price and a tier, the timeline a lane for each rank, and logs of all ranks are searched together):designer_app/editor/static/chunk-ChuOCaMS.js
