import type { Model } from '../model/model.ts';

/**
 * A fitted model as one page of HTML that needs nothing beside itself. Its parts are loaded by the first report, for a
 * command must start fast.
 */
export const htmlReport = async (model: Model): Promise<string> =>
  (await import('./reportPage.ts')).reportPage(model);
