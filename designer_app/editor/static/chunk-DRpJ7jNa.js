<<<<<<<< HEAD:designer_app/editor/static/chunk-Ds1mysBR.js
import{t as e}from"./chunk-DRjt2vnM.js";var t={name:`circle-check`,size:24,node:[[`circle`,{cx:`12`,cy:`12`,r:`10`,key:`1mglay`}],[`path`,{d:`m16 9-5.5 5.5L8 12`,key:`xofnsj`}]],aliases:[`check-circle-2`]};t.node;var n=e(t);export{n as t};
========
import{t as e}from"./chunk-BrszCxtT.js";var t={name:`circle-check`,size:24,node:[[`circle`,{cx:`12`,cy:`12`,r:`10`,key:`1mglay`}],[`path`,{d:`m16 9-5.5 5.5L8 12`,key:`xofnsj`}]],aliases:[`check-circle-2`]};t.node;var n=e(t);export{n as t};
>>>>>>>> 71fd9cb4 (Dropped images become a pipeline on Home again, a picture is tried from every result, shares are rounded alike, a sub-pipeline lies on nobody):designer_app/editor/static/chunk-MAaGOkKI.js
