<<<<<<<< HEAD:designer_app/editor/static/chunk-T6ThBrOk.js
import{t as e}from"./chunk-DksfP516.js";var t={name:`search`,size:24,node:[[`path`,{d:`m21 21-4.34-4.34`,key:`14j7rj`}],[`circle`,{cx:`11`,cy:`11`,r:`8`,key:`4ej97u`}]]};t.node;var n=e(t);export{n as t};
========
import{t as e}from"./chunk-clc4cFXG.js";var t={name:`search`,size:24,node:[[`path`,{d:`m21 21-4.34-4.34`,key:`14j7rj`}],[`circle`,{cx:`11`,cy:`11`,r:`8`,key:`4ej97u`}]]};t.node;var n=e(t);export{n as t};
>>>>>>>> 26e3a34 (Types and bundle made anew):designer_app/editor/static/chunk-Cvvp5y4z.js
