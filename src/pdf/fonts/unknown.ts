export class Unknown extends Error {}
