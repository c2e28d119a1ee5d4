<<<<<<<< HEAD:designer_app/editor/static/chunk-B6uwGRzk.js
import{n as e}from"./chunk-lNEiuiDM.js";var t=80;function n(n,r){let i=r.problem,{document:a,catalog:o}=n.state,s=i&&e(i,a,o);s?.edit&&(n.dispatch(s.edit,{label:s.label,select:`added`}),n.state.document.nodes.length>a.nodes.length&&setTimeout(()=>n.canvas?.fitView(),t))}export{n as cure};
========
import{n as e}from"./chunk-f0AWWlP1.js";var t=80;function n(n,r){let i=r.problem,{document:a,catalog:o}=n.state,s=i&&e(i,a,o);s?.edit&&(n.dispatch(s.edit,{label:s.label,select:`added`}),n.state.document.nodes.length>a.nodes.length&&setTimeout(()=>n.canvas?.fitView(),t))}export{n as cure};
>>>>>>>> 00ce14f (Look into it is not offered for the model of a script that makes none):designer_app/editor/static/chunk-BJ-tsmyU.js
