// Documents become PDFs: Chromium is started once for all of its documents, LibreOffice once, pdfLaTeX once for each.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { htmlOf } from './html.mjs';
import { latexOf } from './latex.mjs';
import { officeOf } from './office.mjs';

const EXTENSIONS = { writer: 'fodt', impress: 'fodp', calc: 'fods' };

/** Writes ID.pdf of each document into the folder. What one printer cannot do is said and left out. */
export async function print(documents, folder) {
  mkdirSync(folder, { recursive: true });
  const of = (...printers) => documents.filter((document) => printers.includes(document.printer));
  await printHtml(of('html'), folder);
  printLatex(of('latex'), folder);
  printOffice(of('writer', 'impress', 'calc'), folder);
  return documents.filter(({ id }) => existsSync(join(folder, `${id}.pdf`)));
}

async function printHtml(documents, folder) {
  if (documents.length === 0) return;
  const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] });
  try {
    const page = await browser.newPage();
    for (const document of documents) {
      await page.setContent(htmlOf(document, document.seed));
      const running =
        document.running === undefined
          ? {}
          : {
              displayHeaderFooter: true,
              headerTemplate: `<div style="font-size: 8pt; width: 100%; text-align: center">${document.running}</div>`,
              footerTemplate:
                '<div style="font-size: 8pt; width: 100%; text-align: center"><span class="pageNumber"></span></div>',
            };
      // Without tags: what a document says of itself would do the work.
      await page.pdf({
        path: join(folder, `${document.id}.pdf`),
        preferCSSPageSize: true,
        printBackground: true,
        tagged: false,
        ...running,
      });
    }
  } finally {
    await browser.close();
  }
}

function printLatex(documents, folder) {
  const work = mkdtempSync(join(tmpdir(), 'documents-latex-'));
  try {
    for (const document of documents) {
      const { id, seed } = document;
      writeFileSync(join(work, `${id}.tex`), latexOf(document, seed));
      try {
        execFileSync('pdflatex', ['-interaction=batchmode', '-halt-on-error', `${id}.tex`], {
          cwd: work,
          stdio: 'ignore',
        });
        renameSync(join(work, `${id}.pdf`), join(folder, `${id}.pdf`));
      } catch (error) {
        console.error(`pdflatex: ${id} could not be made (${error.code ?? error.status})`);
      }
    }
  } finally {
    rmSync(work, { recursive: true });
  }
}

function printOffice(documents, folder) {
  if (documents.length === 0) return;
  const work = mkdtempSync(join(tmpdir(), 'documents-office-'));
  try {
    const files = documents.map((document) => {
      const file = join(work, `${document.id}.${EXTENSIONS[document.printer]}`);
      writeFileSync(file, officeOf(document, document.seed));
      return file;
    });
    execFileSync(
      'soffice',
      [
        `-env:UserInstallation=file://${work}/profile`,
        '--headless',
        '--convert-to',
        'pdf',
        '--outdir',
        folder,
        ...files,
      ],
      { stdio: 'ignore' },
    );
  } catch (error) {
    console.error(`soffice: ${documents.length} documents could not be made (${error.code ?? error.status})`);
  } finally {
    rmSync(work, { recursive: true });
  }
}
