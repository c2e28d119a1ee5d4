<<<<<<<< HEAD:designer_app/editor/static/chunk-DvggujhB.js
import{t as e}from"./chunk-Bl_Vc_VS.js";var t={name:`search`,size:24,node:[[`path`,{d:`m21 21-4.34-4.34`,key:`14j7rj`}],[`circle`,{cx:`11`,cy:`11`,r:`8`,key:`4ej97u`}]]};t.node;var n=e(t);export{n as t};
========
import{t as e}from"./chunk-D2BD642w.js";var t={name:`search`,size:24,node:[[`path`,{d:`m21 21-4.34-4.34`,key:`14j7rj`}],[`circle`,{cx:`11`,cy:`11`,r:`8`,key:`4ej97u`}]]};t.node;var n=e(t);export{n as t};
>>>>>>>> eb20d30 (Targets have a price and a tier, the timeline a lane for each rank, and logs of all ranks are searched together):designer_app/editor/static/chunk-DVJbG43I.js
