/** Control panels as a form: their permission, the fields of their settings, and changes with all rules of the panels. */
export { typeChoices } from '../configuration/panels/navigation.ts';
export { type Choices, OVERVIEW, type PanelValues as Values } from '../configuration/panels/panel.ts';
export {
  changeSettings as change,
  settingField as fieldOf,
  settingRows as rowsOf,
} from '../configuration/panels/panel-change.ts';
