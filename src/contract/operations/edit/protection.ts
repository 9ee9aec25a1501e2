import { file, secret, text } from '../../field.ts';
import { PDF } from '../../media.ts';
import { operation } from '../../operation.ts';
import { made } from '../../shared-entries.ts';

export const encrypt = operation({
  ...made('-encrypted'),
  name: 'encrypt',
  aliases: ['protect'],
  group: 'edit',
  summary: 'Encrypt a PDF with passwords',
  description:
    'Encrypts a PDF with AES-256 (revision 6). The user password opens it; the owner password allows everything. Programs may ignore the other permissions: they are a request, not a lock',
  input: {
    file: file('The PDF', { types: [PDF] }),
    user_password: secret('Password that opens it', { environment: 'PDFTOOL_USER_PASSWORD', fresh: true }),
    owner_password: secret('Password that allows everything', { environment: 'PDFTOOL_OWNER_PASSWORD', fresh: true }),
    allow: text(
      'What is allowed without the owner password: all, none, or some of print, print-low, change, copy, annotate, fill-forms, assemble',
      { maxLength: 200 },
    ),
    deny: text('What is not allowed without it, in the same words', { maxLength: 200 }),
  },
  exclusive: [['allow', 'deny']],
  needsOneOf: ['user_password', 'owner_password'],
  failures: ['usage', 'unauthenticated', 'out_of_credits', 'too_large', 'unprocessable', 'unavailable'],
  tools: { encrypt_pdf: { when: 'Use it when a PDF is to be opened with a password alone.' } },
});

export const decrypt = operation({
  ...made('-decrypted'),
  name: 'decrypt',
  group: 'edit',
  summary: 'Remove the encryption of a PDF, and show what it allowed',
  description:
    'Removes the encryption of a PDF whose password you know, and says how it was encrypted and what it allowed without the owner password',
  input: {
    file: file('The PDF', { types: [PDF] }),
    password: secret('Password of the PDF', { environment: 'PDFTOOL_PDF_PASSWORD', ofFile: true }),
  },
  failures: ['usage', 'unauthenticated', 'out_of_credits', 'too_large', 'unprocessable', 'password'],
  tools: { decrypt_pdf: { when: 'Use it when a PDF needs a password that the person has given.' } },
});
