// What is held for any file and any damage, tried more often than there is time for in the quick tests.
process.env.PROPERTY_RUNS ??= '60';
process.env.PDFTOOL_FUZZ_RUNS ??= '400';
await import('./pages.test.ts');
await import('./split-shared.test.ts');
await import('./damage.test.ts');
