export function write(line) {
  return `${JSON.stringify(line)}\n`;
}

export { write as writeFromCLI };

export function answer(subtype, requestId, response) {
  const success = { subtype: "success", request_id: requestId };
  if (response !== undefined) success.response = response;
  return { type: "control_response", response: success };
}

export function refuse(requestId, error) {
  return { type: "control_response", response: { subtype: "error", request_id: requestId, error } };
}
