/** The files that make the folder of a drafted city a package of its own, besides its `city.yaml` and `categories.csv`. Pure functions. */

export type FolderFacts = {
  /** The city's name. */
  name: string;
  /** The same as a package may be called. */
  slug: string;
  /** Which Shingle it runs on: a range of versions, or where one is. */
  shingle: string;
  /** The copy of the export in the folder; none where the profile names a URL. */
  filings: string | undefined;
};

/**
 * With `exec`, a signal to npm reaches the service: the shell between them does not pass it on. cmd.exe, which npm uses on Windows,
 * knows no `exec` and runs the second command.
 */
const START = 'exec shingle start || shingle start';

/** The text of each file by its name. */
export function writeFolderTexts(facts: FolderFacts): Record<string, string> {
  return {
    'package.json': writeManifest(facts),
    'README.md': writeReadme(facts),
    '.env.example': ENV_EXAMPLE,
    '.gitignore': GITIGNORE,
  };
}

function writeManifest({ slug, shingle }: FolderFacts): string {
  const manifest = {
    name: slug,
    private: true,
    type: 'module',
    scripts: { start: START, check: 'shingle check' },
    dependencies: { shingle },
  };
  return `${JSON.stringify(manifest, null, 2)}\n`;
}

function writeReadme({ name, filings }: FolderFacts): string {
  const newer =
    filings === undefined
      ? '`npm start` downloads the register again every day.'
      : `\`${filings}\` is a copy of the export. Put a newer one in its place: \`npm start\` imports it within a day, and
  \`npx shingle ingest\` at once.`;
  return `# ${name.replace(/[\r\n]+/g, ' ')}

The new businesses of a city, served by [Shingle](node_modules/shingle/README.md).

    npm start            # imports the register and serves it on http://127.0.0.1:3000
    npx shingle check    # shows what looks wrong, after you have changed city.yaml
    npm update           # upgrades Shingle; then start it again

- \`city.yaml\` says what the columns of the register mean, and \`categories.csv\` what its types of business are. Both are text: change
  what is wrong, or let \`npx shingle check --fix\` ask you ([adding a city](node_modules/shingle/docs/adding-a-city.md)).
- \`npx shingle check\` also writes \`check.html\`: rows of the register beside the listings made of them.
- ${newer}
- Before the service is public or sends email, replace the placeholders in \`city.yaml\` (\`publisher\`, \`homepage\`, \`license\`),
  copy \`.env.example\` to \`.env\` and fill it in. To set up a server with TLS and mail, follow
  [these eight steps](node_modules/shingle/docs/serve-your-town.md).
- \`data/\` holds the database and its daily backups.

\`filings/\` holds the register with all its columns, often owners and home addresses. Every copy of this folder
includes it, but the image does not ([the register](node_modules/shingle/docs/operating.md#the-register)). \`data/\` holds the
addresses of subscribers, \`check.html\` rows of the register, and \`.env\` passwords. Git ignores all four.
`;
}

const ENV_EXAMPLE = `# Copy this file to .env, remove the # of the lines you need, and fill them in.
# All variables: node_modules/shingle/docs/operating.md

# Who runs the service, and the email or web address where people ask for the removal of a listing.
# Required before the service is public or sends email.
#OPERATOR_NAME=
#OPERATOR_CONTACT=

# The public address, and the network of the reverse proxy in front.
#PUBLIC_URL=https://openings.example.org
#TRUST_PROXY=127.0.0.1/32

# The mail server, the sender, and the postal address at the end of every email. Without these, emails are files.
#SMTP_URL='smtp://USER:PASSWORD@mail.example.org:587'
#MAIL_FROM='Openings <news@example.org>'
#MAIL_POSTAL_ADDRESS=
`;

const GITIGNORE = `node_modules/
/data/
/filings/
/check.html
.env
`;
