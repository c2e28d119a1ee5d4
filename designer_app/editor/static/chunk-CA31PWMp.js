<<<<<<<< HEAD:designer_app/editor/static/chunk-CgUsMs8T.js
import{t as e}from"./chunk-lDqDIAXy.js";var t={name:`circle-check`,size:24,node:[[`circle`,{cx:`12`,cy:`12`,r:`10`,key:`1mglay`}],[`path`,{d:`m16 9-5.5 5.5L8 12`,key:`xofnsj`}]],aliases:[`check-circle-2`]};t.node;var n=e(t);export{n as t};
========
import{t as e}from"./chunk-CZXTF13r.js";var t={name:`circle-check`,size:24,node:[[`circle`,{cx:`12`,cy:`12`,r:`10`,key:`1mglay`}],[`path`,{d:`m16 9-5.5 5.5L8 12`,key:`xofnsj`}]],aliases:[`check-circle-2`]};t.node;var n=e(t);export{n as t};
>>>>>>>> 00ce14f (Look into it is not offered for the model of a script that makes none):designer_app/editor/static/chunk-CA31PWMp.js
