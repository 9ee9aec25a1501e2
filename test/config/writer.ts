import { storeKey } from '../../src/runtime/settings/keys.ts';

const [, , , name = '', count = '1'] = process.argv;
for (let index = 0; index < Number(count); index += 1) await storeKey(`${name}.${index}`, `sk_test_${name}${index}`);
