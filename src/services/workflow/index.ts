import type { Service } from '../service.ts';
import { getWorkflow } from './get-workflow.ts';
import { postWorkflow } from './post-workflow.ts';

export const workflowServices: Service[] = [getWorkflow, postWorkflow];
