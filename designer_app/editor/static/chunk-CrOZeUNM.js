<<<<<<<< HEAD:designer_app/editor/static/chunk-CrOZeUNM.js
import{n as e}from"./chunk-CtbxYMRn.js";var t=80;function n(n,r){let i=r.problem,{document:a,catalog:o}=n.state,s=i&&e(i,a,o);s?.edit&&(n.dispatch(s.edit,{label:s.label,select:`added`}),n.state.document.nodes.length>a.nodes.length&&setTimeout(()=>n.canvas?.fitView(),t))}export{n as cure};
========
import{n as e}from"./chunk-C3owWcwl.js";var t=80;function n(n,r){let i=r.problem,{document:a,catalog:o}=n.state,s=i&&e(i,a,o);s?.edit&&(n.dispatch(s.edit,{label:s.label,select:`added`}),n.state.document.nodes.length>a.nodes.length&&setTimeout(()=>n.canvas?.fitView(),t))}export{n as cure};
>>>>>>>> a26ffcd (What opens from a dropped file says that it is a pipeline of its own and is tidied once its canvas is there; a split's footer no longer says what its ports do):designer_app/editor/static/chunk-OgZnPNi2.js
