<<<<<<<< HEAD:designer_app/editor/static/chunk-b4VnkSFy.js
import{Br as e}from"./chunk-BeBMjGGh.js";import{t}from"./chunk-Bqw-qorI.js";function n(n,{targets:r,...i},a,o={}){let s=e(i);return new t({api:n,catalog:s,document:a,targets:r,revision:``,readOnly:!0,storage:null,...o})}export{n as t};
========
import{Br as e}from"./chunk-BeBMjGGh.js";import{t}from"./chunk-BqS_Ak6j.js";function n(n,{targets:r,...i},a,o={}){let s=e(i);return new t({api:n,catalog:s,document:a,targets:r,revision:``,readOnly:!0,storage:null,...o})}export{n as t};
>>>>>>>> 092bae5 (A click on Run is not lost while code that was just written is told of; black is one of the colours of a matrix):designer_app/editor/static/chunk-B9jeukZp.js
