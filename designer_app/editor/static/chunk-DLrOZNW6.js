<<<<<<<< HEAD:designer_app/editor/static/chunk-cYDmDRgw.js
import{t as e}from"./chunk-lDqDIAXy.js";var t={name:`search`,size:24,node:[[`path`,{d:`m21 21-4.34-4.34`,key:`14j7rj`}],[`circle`,{cx:`11`,cy:`11`,r:`8`,key:`4ej97u`}]]};t.node;var n=e(t);export{n as t};
========
import{t as e}from"./chunk-CZXTF13r.js";var t={name:`search`,size:24,node:[[`path`,{d:`m21 21-4.34-4.34`,key:`14j7rj`}],[`circle`,{cx:`11`,cy:`11`,r:`8`,key:`4ej97u`}]]};t.node;var n=e(t);export{n as t};
>>>>>>>> 00ce14f (Look into it is not offered for the model of a script that makes none):designer_app/editor/static/chunk-DLrOZNW6.js
