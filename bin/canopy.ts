#!/usr/bin/env node
import { runCommand } from '../src/app/run-command.ts';

process.exitCode = await runCommand(process.argv.slice(2), process.env);
