import type { Model } from '../../model/model.ts';

/**
 * A fitted model as one self-contained HTML page. Its parts are loaded by the first report, because a command must
 * start fast.
 */
export const htmlReport = async (model: Model): Promise<string> => (await import('./reportPage.ts')).reportPage(model);
