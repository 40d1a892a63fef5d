export { simulated } from "./simulated.js";
export { fuzzFraming } from "./framing.js";
