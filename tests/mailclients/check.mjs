// Ask caniemail what the mail programs of our readers cannot show of some HTML files, given as arguments.
// One JSON object comes out: for each feature the programs that lack it ("errors") or know it in part ("warnings").
import { createRequire } from 'node:module';
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

const [home, ...files] = process.argv.slice(2);
const found = createRequire(pathToFileURL(`${home}/`)).resolve('caniemail');
const { caniemail } = await import(pathToFileURL(found));
const clients = ['gmail.*', 'outlook.*', 'apple-mail.*', 'thunderbird.*', 'samsung-email.*'];
const lacking = { errors: {}, warnings: {} };
for (const file of files) {
  const { issues } = caniemail({ clients, html: readFileSync(file, 'utf8') });
  for (const kind of ['errors', 'warnings']) {
    for (const [client, list] of issues[kind]) {
      for (const { title } of list) (lacking[kind][title] ??= new Set()).add(client);
    }
  }
}
console.log(JSON.stringify(lacking, (_, value) => (value instanceof Set ? [...value].sort() : value)));
