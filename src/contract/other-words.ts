// Words of other programs (qpdf, pdftk, pdfcpu, mutool, poppler, sejda and the like), with the line that does it here.

/** FILE stands for the file that was named with the word. */
export const LINES_OF_OTHER_WORDS: Readonly<Record<string, string>> = {
  'pages take FILE 1-3':
    'extract, extract-pages, select, select-pages, keep, keep-pages, take, pick, pages extract, pages select, pages keep, pages split, trim, collect, subset',
  'pages drop FILE 2,5':
    'delete, delete-pages, remove-pages, drop, remove, exclude, pages delete, pages remove, pages rm, rm',
  'pages reverse FILE': 'reverse, reverse-pages, backwards',
  'pages order FILE 3,1,2': 'order, reorder, rearrange, sort, organize, move, move-pages, pages move, pages reorder',
  'merge a.pdf b.pdf -o all.pdf':
    'cat, concat, concatenate, join, combine, unite, pdfunite, append, bind, mergepdf, shuffle',
  'merge fronts.pdf backs.pdf --interleave': 'collate, interleave, zip, alternate, altmix, mix',
  'split FILE': 'burst, separate, pdfseparate, explode, cut, unmerge, divide, splitpdf',
  'split FILE --by-bookmark': 'split-by-bookmarks, splitbybookmarks, split-chapters',
  'rotate FILE --angle 90': 'rotate-pages, turn, pages rotate, rotatepages, orientation',
  'encrypt FILE --user-password-file password.txt':
    'lock, password, secure, set-password, add-password, protection, changeupw, changeopw, setpermissions, permissions',
  'decrypt FILE': 'unlock, unprotect, remove-password, unsecure, unrestrict, strip-password',
  'meta show FILE': 'metadata, properties, dump_data, dump-data, exif, docinfo, meta get, meta list, meta view',
  'meta set FILE --title TEXT':
    'set-metadata, update_info, update-info, set-title, title, meta update, meta edit, meta add, setmetadata',
  'meta clear FILE': 'strip-metadata, remove-metadata, anonymize, meta remove, meta delete, meta strip',
  'bookmarks show FILE':
    'toc, outline, outlines, list-bookmarks, bookmarks list, bookmarks get, bookmarks export, bookmarks dump',
  'bookmarks set FILE --bookmarks @toc.txt':
    'add-bookmarks, set-toc, bookmarks import, bookmarks add, bookmarks load, bookmarks update',
  'bookmarks clear FILE': 'remove-bookmarks, bookmarks remove, bookmarks delete',
  'labels set FILE --labels 1:r,5:D': 'pagelabels, page-labels, set-page-labels, labels add, labels update',
  'labels clear FILE': 'labels remove, labels delete',
  'attach list FILE': 'attachments, attachment, pdfdetach, files, portfolio, attach show, attach ls',
  'attach add FILE data.csv': 'attach_files, attach-files, embed, add-attachment, attach file, attach set',
  'attach extract FILE':
    'unpack_files, unpack-files, detach, extract-attachments, attach get, attach take, attach save',
  'attach remove FILE --all': 'remove-attachments, attach clear, attach delete, attach rm',
  'stamp FILE --text Draft --opacity 0.2 --rotation 45':
    'watermark, add-watermark, header, footer, text-stamp, multistamp',
  'stamp FILE --pdf letterhead.pdf --under': 'background, multibackground, letterhead, underlay',
  'number FILE': 'paginate, page-numbers, add-page-numbers, numbering, pages number',
  'number FILE --format A{page:6}': 'bates, bates-number, bates-numbering',
  'form show FILE': 'dump_data_fields, fields, formfields, list-fields, form list, form export, form fields',
  'form fill FILE --data data.json': 'fill, fill_form, fill-form, fillform, form set, form import',
  'form flatten FILE': 'flatten, flatten-form',
  'nup FILE --per-sheet 4': 'imposition, impose, pages-per-sheet, 2up, 4up, pdfnup',
  'crop FILE --auto': 'pdfcrop, cropbox, trim-margins, boxes, pages crop',
  'resize FILE --paper A4': 'scale, paper, fit-page, pages resize',
  'blank FILE --after 1': 'insert-blank, add-blank, insert, pages insert, pages blank',
  'pages take FILE 1-z': 'repair, fix, recover',
  'extract-text FILE': 'search, grep, find, pdfgrep, to-text, pdftotext, totext, get-text, txt, extracttext, read',
  'archive FILE': 'pdfa, pdf-a, pdf/a, to-pdfa, convert-pdfa, archival, pdfa-convert',
  'optimize FILE --linearize': 'linearize, web-optimize, fast-web-view, linearise, optimise',
  'narrate FILE': 'video, slides, to-video, to-mp4, presentation',
  'compress FILE': 'shrink, reduce, minify, squeeze, ebook, downsample, smaller',
  'compare a.pdf b.pdf': 'compare-pdf, diff-pdf, comparepdf',
  'markdown FILE': 'to-markdown, md, to-md, pdf2md',
  'to-json FILE': 'json',
  'to-images FILE':
    'pdftoppm, pdftocairo, to-png, to-jpg, to-jpeg, render, rasterize, convert, draw, pdf2image, thumbnail, screenshot, to-image',
  'images FILE': 'pdfimages, extract-images, extract-pictures, pictures, get-images',
  'images-to-pdf page1.jpg page2.jpg':
    'img2pdf, jpg-to-pdf, png-to-pdf, from-images, import, scan-to-pdf, image-to-pdf',
  'info FILE': 'pdfinfo, inspect, details, stat, stats, count, show, pdffonts, fonts, page-count',
  'check FILE': 'validate, verapdf, preflight, pdfa-check, check-pdfa, conformance, accessibility, pdfua',
  'invoice attach FILE XML': 'factur-x, facturx, zugferd, e-invoice, einvoice, xrechnung',
  'verify FILE': 'pdfsig, signatures, verify-signature, verify-signatures, check-signature',
  'sign FILE --key me.p12': 'esign, add-signature, digital-signature, signpdf, pdf-sign',
  'ocr FILE': 'recognize, recognise, searchable, ocrmypdf, add-text-layer',
  'merge FILE b.pdf --pages 1-3': 'merge-pages',
  'redact inspect FILE --find TEXT': 'sanitize, sanitise, blackout, black-out, censor, hide-text',
  'audiobook FILE': 'speak, tts, text-to-speech, read-aloud, listen, to-audio, to-mp3',
  'completion bash': 'completions, autocomplete',
  'auth login': 'login, signin',
  'auth logout': 'logout',
  help: 'man, usage',
};
