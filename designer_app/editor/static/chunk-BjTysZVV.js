<<<<<<<< HEAD:designer_app/editor/static/chunk-C5INP-x7.js
import{n as e}from"./chunk-CQ--f2hS.js";var t=80;function n(n,r){let i=r.problem,{document:a,catalog:o}=n.state,s=i&&e(i,a,o);s?.edit&&(n.dispatch(s.edit,{label:s.label,select:`added`}),n.state.document.nodes.length>a.nodes.length&&setTimeout(()=>n.canvas?.fitView(),t))}export{n as cure};
========
import{n as e}from"./chunk-DJuxTu21.js";var t=80;function n(n,r){let i=r.problem,{document:a,catalog:o}=n.state,s=i&&e(i,a,o);s?.edit&&(n.dispatch(s.edit,{label:s.label,select:`added`}),n.state.document.nodes.length>a.nodes.length&&setTimeout(()=>n.canvas?.fitView(),t))}export{n as cure};
>>>>>>>> eb20d30 (Targets have a price and a tier, the timeline a lane for each rank, and logs of all ranks are searched together):designer_app/editor/static/chunk-BjTysZVV.js
