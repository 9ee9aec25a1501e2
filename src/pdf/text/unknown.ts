// Owns the error that says a page has something our own reader does not know. It stays inside text/: pdf.js reads the page.

export class Unknown extends Error {}
