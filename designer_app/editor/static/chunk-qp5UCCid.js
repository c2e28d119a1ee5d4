<<<<<<<< HEAD:designer_app/editor/static/chunk-CIRrnS4s.js
import{Ci as e,n as t}from"./chunk-Di0xqrCl.js";import{t as n}from"./chunk-Cc6YChDd.js";async function r(r,{targets:i,...a},o,s={}){let c=e(a),l=await t(o,c);return new n({api:r,catalog:c,document:l,targets:i,revision:``,readOnly:!0,storage:null,...s})}export{r as t};
========
import{Ci as e,n as t}from"./chunk-Di0xqrCl.js";import{t as n}from"./chunk-Cl2FYmMi.js";async function r(r,{targets:i,...a},o,s={}){let c=e(a),l=await t(o,c);return new n({api:r,catalog:c,document:l,targets:i,revision:``,readOnly:!0,storage:null,...s})}export{r as t};
>>>>>>>> 2ad1a75 (Generated files anew):designer_app/editor/static/chunk-qp5UCCid.js
