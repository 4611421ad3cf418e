// SPDX-License-Identifier: Apache-2.0
// The parts of the kept libraries that pages use, in one file which a browser loads once.

export {getInstanceByDom, init} from "echarts/core";
import {use} from "echarts/core";
import {LineChart, ScatterChart} from "echarts/charts";
import {DataZoomInsideComponent, GridComponent, LegendComponent, TooltipComponent}
  from "echarts/components";
import {CanvasRenderer} from "echarts/renderers";
import {FormatModule, InteractionModule, ResizeTableModule, ResponsiveLayoutModule, SortModule,
  Tabulator}
  from "tabulator-tables";

use([LineChart, ScatterChart, DataZoomInsideComponent, GridComponent, LegendComponent,
  TooltipComponent, CanvasRenderer]);
Tabulator.registerModule([FormatModule, InteractionModule, ResizeTableModule, ResponsiveLayoutModule,
  SortModule]);
export {Tabulator};
