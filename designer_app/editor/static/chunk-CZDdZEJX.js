<<<<<<<< HEAD:designer_app/editor/static/chunk-CZDdZEJX.js
import{n as e}from"./chunk-BdPAlAI-.js";var t=80;function n(n,r){let i=r.problem,{document:a,catalog:o}=n.state,s=i&&e(i,a,o);s?.edit&&(n.dispatch(s.edit,{label:s.label,select:`added`}),n.state.document.nodes.length>a.nodes.length&&setTimeout(()=>n.canvas?.fitView(),t))}export{n as cure};
========
import{n as e}from"./chunk-kIQQQ5fM.js";var t=80;function n(n,r){let i=r.problem,{document:a,catalog:o}=n.state,s=i&&e(i,a,o);s?.edit&&(n.dispatch(s.edit,{label:s.label,select:`added`}),n.state.document.nodes.length>a.nodes.length&&setTimeout(()=>n.canvas?.fitView(),t))}export{n as cure};
>>>>>>>> 26e3a34 (Types and bundle made anew):designer_app/editor/static/chunk-Dqje42aj.js
