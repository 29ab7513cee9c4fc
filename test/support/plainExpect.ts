/**
 * Assertions that cost little where they hold, of which the suite makes millions: without the proxies by which chai
 * tells of properties that it does not have, as the compiler does too; and records and arrays are compared by Node
 * first, which takes a tenth of chai's time. What Node calls equal is equal to chai; chai has the last word on the rest.
 */
import { isDeepStrictEqual } from 'node:util';
import { config, use } from 'chai';

config.useProxy = false;

use(({ Assertion }, { flag }) => {
  Assertion.overwriteMethod(
    'equal',
    original =>
      function (this: Chai.AssertionStatic, ...args: unknown[]) {
        if (flag(this, 'deep') && !flag(this, 'negate') && isDeepStrictEqual(flag(this, 'object'), args[0])) return;
        original.apply(this, args);
      },
  );
});
