import type { Service } from '../../services/service.ts';
import { getHistory } from './get-history.ts';
import { getHistoryDiff } from './get-history-diff.ts';
import { getHistoryVersion } from './get-history-version.ts';
import { patchHistory } from './patch-history.ts';

export const historyServices: Service[] = [getHistory, getHistoryVersion, getHistoryDiff, patchHistory];
