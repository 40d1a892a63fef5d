// Is the parser for the fuzzer, which starts a command: it leads to the process with the function.
import { connect } from "node:net";

const socket = connect(process.argv[2]);
socket.on("error", () => process.exit(1));
process.stdin.pipe(socket);
socket.pipe(process.stdout);
