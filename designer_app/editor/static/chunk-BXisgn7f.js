<<<<<<<< HEAD:designer_app/editor/static/chunk-BXisgn7f.js
import{t as e}from"./chunk-DQnuyiAJ.js";var t={name:`search`,size:24,node:[[`path`,{d:`m21 21-4.34-4.34`,key:`14j7rj`}],[`circle`,{cx:`11`,cy:`11`,r:`8`,key:`4ej97u`}]]};t.node;var n=e(t);export{n as t};
========
import{t as e}from"./chunk-CCbjl9y1.js";var t={name:`search`,size:24,node:[[`path`,{d:`m21 21-4.34-4.34`,key:`14j7rj`}],[`circle`,{cx:`11`,cy:`11`,r:`8`,key:`4ej97u`}]]};t.node;var n=e(t);export{n as t};
>>>>>>>> 90076faa (Versions of a pipeline have names, and commands get other keys):designer_app/editor/static/chunk-hWQW308R.js
