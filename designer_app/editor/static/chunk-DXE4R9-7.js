<<<<<<<< HEAD:designer_app/editor/static/chunk-Bsf3AZeb.js
import{t as e}from"./chunk-DRjt2vnM.js";var t={name:`search`,size:24,node:[[`path`,{d:`m21 21-4.34-4.34`,key:`14j7rj`}],[`circle`,{cx:`11`,cy:`11`,r:`8`,key:`4ej97u`}]]};t.node;var n=e(t);export{n as t};
========
import{t as e}from"./chunk-BrszCxtT.js";var t={name:`search`,size:24,node:[[`path`,{d:`m21 21-4.34-4.34`,key:`14j7rj`}],[`circle`,{cx:`11`,cy:`11`,r:`8`,key:`4ej97u`}]]};t.node;var n=e(t);export{n as t};
>>>>>>>> 71fd9cb4 (Dropped images become a pipeline on Home again, a picture is tried from every result, shares are rounded alike, a sub-pipeline lies on nobody):designer_app/editor/static/chunk-BMN1kQSL.js
