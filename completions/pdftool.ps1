# PowerShell completion for pdftool. Made by npm run derive from the program; changes belong there.

Register-ArgumentCompleter -Native -CommandName pdftool -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)

    # Options that several commands have.
    $same = @(
        @{ What = $null; Says = 'Of a folder also the files of all folders below it' },
        @{ What = 'words given natural'; Says = 'Order of the files: given, or natural (1, 2, 10)' },
        @{ What = 'files'; Says = 'File whose first line is the password of the PDFs; - is standard input' },
        @{ What = 'files'; Says = 'The same for one input: FILE=PASSWORDFILE; may be repeated' },
        @{ What = $null; Says = 'Of a damaged PDF that readers disagree on take what is likeliest, on this machine; exit 3' },
        @{ What = 'folders'; Says = 'Folder for the outputs of several files, or of a folder; made where it is missing' },
        @{ What = 'none'; Says = 'Files worked on at the same time, with --out-dir (default 1)' },
        @{ What = $null; Says = 'Leave files alone whose output exists' },
        @{ What = $null; Says = 'Refuse what would break a claim to be PDF/A or PDF/UA, on this machine' },
        @{ What = $null; Says = 'Append the change to the file as it is, where its signatures allow it: signed bytes stay untouched (on this machine only)' },
        @{ What = 'none'; Says = 'Upload limit to measure against, in bytes; the output is best effort; such as 200KB' },
        @{ What = $null; Says = 'Touch no pixel: only structure, fonts and coding (on this machine only)' },
        @{ What = 'none'; Says = 'JPEG quality of pictures, 1 to 100; chosen by how they look unless given (on this machine only)' },
        @{ What = 'none'; Says = 'Pixels to the inch that pictures are reduced to where they have many more; 150 unless given (10 to 2400; on this machine only)' },
        @{ What = $null; Says = 'Make pictures grey (on this machine only)' },
        @{ What = $null; Says = 'Make scanned pages of text black and white (on this machine only)' },
        @{ What = $null; Says = 'Leave scanned pages in one layer: no text kept sharp above a coarser ground (on this machine only)' },
        @{ What = $null; Says = 'Take the first good answer: a few times as fast for larger scans and pictures (on this machine only)' },
        @{ What = $null; Says = 'Meet the target even where text in pictures can no longer be read (below 72 dpi) (on this machine only)' },
        @{ What = $null; Says = 'Exit 3 when the output is above the target size' },
        @{ What = 'words fit A4 Letter'; Says = 'Page: as large as the image at its own resolution (fit), or paper it is fitted on (one of fit, A4, Letter; default fit; on this machine only)' },
        @{ What = 'none'; Says = 'Points (1/72 inch) left free around each image (default 0; on this machine only)' },
        @{ What = 'none'; Says = 'Pages to look at, instead of all, such as 1-3,7' },
        @{ What = 'none'; Says = 'How much it covers: 1 all, 0.2 a little (0 to 1; default 1)' },
        @{ What = $null; Says = 'Under what is on the page, not over it' },
        @{ What = 'words Helvetica Helvetica-Bold Helvetica-Oblique Helvetica-BoldOblique Times-Roman Times-Bold Times-Italic Times-BoldItalic Courier Courier-Bold Courier-Oblique Courier-BoldOblique Symbol ZapfDingbats'; Says = 'Font of the text, which every reader has (one of Helvetica, Helvetica-Bold, Helvetica-Oblique, Helvetica-BoldOblique, Times-Roman, Times-Bold, Times-Italic, Times-BoldItalic, Courier, Courier-Bold, Courier-Oblique, Courier-BoldOblique, Symbol, ZapfDingbats; default Helvetica)' },
        @{ What = 'files ttf otf'; Says = 'Font file for the text, of which the letters shown are embedded' },
        @{ What = 'none'; Says = 'Colour of the text: black, white, gray, red, green, blue or #rrggbb (at most 20 characters; default black)' },
        @{ What = 'files'; Says = 'A list of revoked certificates or an OCSP answer to keep in the file' },
        @{ What = $null; Says = 'Ask the issuers of certificates whether they were revoked, and keep the answers in the file' },
        @{ What = $null; Says = 'A font that is neither in the file nor has a metric twin is replaced by the nearest one' },
        @{ What = 'none'; Says = 'Pages to read, instead of all, such as 1-3,7 (on this machine only)' },
        @{ What = $null; Says = 'Recognise the words of pages without text first, as `pdftool ocr` does (on this machine only)' },
        @{ What = $null; Says = 'Succeed with empty text where a document has no text layer (on this machine only)' },
        @{ What = 'words audiobook professional educational presenter'; Says = 'Voice style (such as audiobook, professional, educational, presenter)' },
        @{ What = 'none'; Says = 'Voice id, as pdftool voices lists them' },
        @{ What = 'words en'; Says = 'Language to be spoken (such as en)' },
        @{ What = 'none'; Says = 'Speed of speech, 1 being normal' },
        @{ What = 'none'; Says = 'Pages to speak, in the order of the PDF, such as 1-5' },
        @{ What = 'words word skip read'; Says = 'Said for links, tables and code: a word, nothing, or all of it (one of word, skip, read; default word; on this machine only)' },
        @{ What = 'words srt vtt'; Says = 'Subtitles in a file beside the output (one of srt, vtt; on this machine only)' },
        @{ What = $null; Says = 'Print the job id and return; pdftool jobs watch goes on' },
        @{ What = $null; Says = 'Wait for the end, in plain lines' },
        @{ What = $null; Says = 'Leave the result with the service' },
        @{ What = $null; Says = 'Ring the bell, and show a notice, when a job ends' },
        @{ What = 'none'; Says = 'Run this in the shell when a job ends' },
        @{ What = $null; Says = 'Send it although an earlier try may have been charged, or is under way' },
        @{ What = $null; Says = 'Do not ask before what costs much' },
        @{ What = 'none'; Says = 'An option of the workflow; may be repeated' },
        @{ What = 'none'; Says = 'Name this request yourself; the same key finds the same job' },
        @{ What = 'none'; Says = 'Text to find, capitals alike; may be repeated' },
        @{ What = 'none'; Says = 'Regular expression to find; may be repeated' },
        @{ What = 'words email phone card iban ssn'; Says = 'What else to find: email, phone, card, iban, ssn' },
        @{ What = $null; Says = 'Fail where nothing can recognise the words of pictures and of pages without text' },
        @{ What = 'none'; Says = 'Text in each box' },
        @{ What = 'none'; Says = 'Colour of the boxes: black, white, gray or #rrggbb (black)' },
        @{ What = $null; Says = 'Blank to the end of each line, so that widths say nothing' },
        @{ What = $null; Says = 'Make every page a picture' },
        @{ What = $null; Says = 'Keep only the pages: no title, language, bookmarks, tags or fields' },
        @{ What = 'files'; Says = 'File whose first line is the password of the PDF' },
        @{ What = 'folders'; Says = 'Folder that tools may use; may be repeated (the current folder)' },
        @{ What = 'folders'; Says = 'Folder for outputs that are not named (the first --root)' },
        @{ What = 'none'; Says = 'What names of tools begin with (pdftool_)' },
        @{ What = $null; Says = 'Let calls replace files when they ask for it' },
        @{ What = 'none'; Says = 'Port of this machine for /livez, /readyz and /metrics alone' },
        @{ What = 'none'; Says = 'S3 instead of a shared folder: s3://bucket/prefix (needs --database)' },
        @{ What = 'folders'; Says = 'Folder that keeps keys, credits, jobs and results' },
        @{ What = 'none'; Says = 'PostgreSQL instead of the folder: postgres://user@host/name' }
    )
    # Command: its subcommands, its options with what their values may be, its arguments.
    $places = @{
        '' = @{
            Commands = [ordered]@{
                'info' = 'Show page count and metadata'
                'merge' = 'Join PDFs in the order given'
                'split' = 'Cut a PDF into one file per page, or into segments'
                'rotate' = 'Turn every page'
                'pages' = 'Take, drop, reverse or order pages, or say which ones a page range means'
                'encrypt' = 'Encrypt a PDF with passwords'
                'decrypt' = 'Take the encryption off a PDF, and say what it allowed'
                'meta' = 'Show, set or clear title, author and other metadata'
                'bookmarks' = 'Show, set or clear the bookmarks'
                'labels' = 'Show, set or clear the page labels'
                'attach' = 'List, add, take out or remove attached files'
                'compress' = 'Make a PDF smaller'
                'merge-compress' = 'Join PDFs and make the result smaller'
                'images-to-pdf' = 'Make a PDF of images, one page each'
                'images-to-pdf-compress' = 'Make a small PDF of images, one page each'
                'to-images' = 'Draw pages as PNG, JPEG or WebP pictures, one file per page'
                'images' = 'Take out the pictures that are inside'
                'ocr' = 'Add an invisible text layer to scanned pages'
                'stamp' = 'Put text, a picture or a page on pages'
                'number' = 'Write page numbers on pages'
                'overlay' = 'Lay the pages of another PDF over the pages'
                'nup' = 'Put several pages on each sheet'
                'crop' = 'Cut the edges of pages off'
                'resize' = 'Put pages on other paper'
                'blank' = 'Insert empty pages'
                'compare' = 'Tell which pages of two PDFs differ'
                'verify' = 'Check the signatures and timestamps of a PDF'
                'sign' = 'Sign a PDF, as PAdES wants it'
                'timestamp' = 'Add a document timestamp to a PDF'
                'optimize' = 'Lay a PDF out for the web'
                'archive' = 'Make a PDF/A for archives and courts'
                'check' = 'Check whether a PDF is the PDF/A or PDF/UA that it claims to be'
                'invoice' = 'Make and show PDFs that hold an invoice for programs (Factur-X, ZUGFeRD)'
                'form' = 'Show, fill or flatten form fields'
                'extract-text' = 'Extract the text layer as plain text'
                'to-json' = 'Extract the text layer page by page as JSON'
                'markdown' = 'Extract the text layer as structured Markdown'
                'tables' = 'Extract tables as CSV, a workbook, JSON or Markdown'
                'voice-preview' = 'Hear a short sample of a voice, at no cost'
                'audiobook' = 'Turn a PDF into an audiobook'
                'narrate' = 'Narrate a PDF page by page, as a video of slides'
                'translate-and-speak' = 'Translate a PDF and speak it (disabled by the service)'
                'account' = 'Show credits left and used'
                'openapi' = 'Print the machine-readable description (OpenAPI 3.1)'
                'run' = 'Run a list of steps, each on the output of the one before'
                'jobs' = 'List, watch and fetch jobs that were begun on this machine'
                'workflow' = 'Run large jobs on the service: up to 1 GiB, resumed where they stopped'
                'redact' = 'Find what to black out, review it, then apply it'
                'auth' = 'Log in to the service, log out, see which key is used'
                'config' = 'Read and write settings'
                'doctor' = 'Say what is set up on this machine and what is not'
                'api' = 'Call the service directly, with the same key and the same care for charges'
                'voices' = 'List what can speak on this machine, and how more is installed'
                'completion' = 'Print the completion of a shell'
                'mcp' = 'Offer the operations to agents as tools, over standard input and output'
                'serve' = 'Run the whole service on this machine'
                'work' = 'Work on jobs of pdftool serve, without HTTP, beside other machines'
                'help' = 'Show the help of a command or a topic'
            }
            Options = & {
                $it = [System.Collections.Hashtable]::new([System.StringComparer]::Ordinal)
                $it['-V'] = @{ What = $null; Says = 'Print the version' }
                $it['--version'] = @{ What = $null; Says = 'Print the version' }
                $it['-o'] = @{ What = 'files'; Says = 'Where the result goes; - is standard output' }
                $it['--output'] = @{ What = 'files'; Says = 'Where the result goes; - is standard output' }
                $it['-f'] = @{ What = $null; Says = 'Replace an output that exists' }
                $it['--force'] = @{ What = $null; Says = 'Replace an output that exists' }
                $it['--local'] = @{ What = $null; Says = 'Run on this machine; opens no connection' }
                $it['--remote'] = @{ What = $null; Says = 'Run on the service' }
                $it['--json'] = @{ What = $null; Says = 'Print one JSON value, for programs' }
                $it['-q'] = @{ What = $null; Says = 'Say nothing but errors' }
                $it['--quiet'] = @{ What = $null; Says = 'Say nothing but errors' }
                $it['-v'] = @{ What = $null; Says = 'Say each step' }
                $it['--verbose'] = @{ What = $null; Says = 'Say each step' }
                $it['--debug'] = @{ What = $null; Says = 'Say what helps to find a defect; secrets are masked' }
                $it['--plan'] = @{ What = $null; Says = 'Say what would be done, sent and charged, and do nothing' }
                $it['--max-credits'] = @{ What = 'none'; Says = 'Refuse what would cost more' }
                $it['--timeout'] = @{ What = 'none'; Says = 'Give up on the service after this long, such as 30s' }
                $it['--ca-cert'] = @{ What = 'files pem crt'; Says = 'Trust the authorities in this PEM file too' }
                $it['--profile'] = @{ What = 'asked profiles'; Says = 'Key and address to use' }
                $it['--no-progress'] = @{ What = $null; Says = 'Draw no progress' }
                $it['--no-color'] = @{ What = $null; Says = 'Use no colour' }
                $it['-h'] = @{ What = $null; Says = 'Show this help' }
                $it['--help'] = @{ What = $null; Says = 'Show this help' }
                $it
            }
            Arguments = @()
            Many = $false
        }
        'info' = @{
            Commands = [ordered]@{}
            Options = & {
                $it = [System.Collections.Hashtable]::new([System.StringComparer]::Ordinal)
                $it['--pages'] = @{ What = 'none'; Says = 'Pages whose sizes and fonts are told, instead of all, such as 1-3,7 (on this machine only)' }
                $it['--recursive'] = $same[0]
                $it['--sort'] = $same[1]
                $it['--password-file'] = $same[2]
                $it['--password-for'] = $same[3]
                $it['--salvage'] = $same[4]
                $it['--out-dir'] = $same[5]
                $it['-j'] = $same[6]
                $it['--jobs'] = $same[6]
                $it['--skip-existing'] = $same[7]
                $it
            }
            Arguments = @('files pdf')
            Many = $true
        }
        'merge' = @{
            Commands = [ordered]@{}
            Options = & {
                $it = [System.Collections.Hashtable]::new([System.StringComparer]::Ordinal)
                $it['--pages'] = @{ What = 'none'; Says = 'Pages of the file before it, such as 1-3 or z-1 (from the last to the first); one for each file, in its order (on this machine only)' }
                $it['--interleave'] = @{ What = $null; Says = 'Take a page of each file in turn; with the pages z-1 of the second one for the backs of a scan (on this machine only)' }
                $it['--bookmarks'] = @{ What = $null; Says = 'Put the bookmarks of each file under one named after it (on this machine only)' }
                $it['--title'] = @{ What = 'none'; Says = 'Title of the output, instead of the first file''s (on this machine only)' }
                $it['--author'] = @{ What = 'none'; Says = 'Author of the output, instead of the first file''s (on this machine only)' }
                $it['--subject'] = @{ What = 'none'; Says = 'Subject of the output, instead of the first file''s (on this machine only)' }
                $it['--keywords'] = @{ What = 'none'; Says = 'Keywords of the output, instead of the first file''s (on this machine only)' }
                $it['--recursive'] = $same[0]
                $it['--sort'] = $same[1]
                $it['--password-file'] = $same[2]
                $it['--password-for'] = $same[3]
                $it['--salvage'] = $same[4]
                $it['--keep-conformance'] = $same[8]
                $it
            }
            Arguments = @('files pdf')
            Many = $true
        }
        'split' = @{
            Commands = [ordered]@{}
            Options = & {
                $it = [System.Collections.Hashtable]::new([System.StringComparer]::Ordinal)
                $it['--at-pages'] = @{ What = 'none'; Says = 'Split after these pages, such as 3,7' }
                $it['--ranges'] = @{ What = 'none'; Says = 'One file per range, such as 1-3,7-9' }
                $it['--every'] = @{ What = 'none'; Says = 'As many pages to each file (at least 1; on this machine only)' }
                $it['--by-bookmark'] = @{ What = 'none'; Says = 'A file from each bookmark to the next, down to this level (at least 1; 1 without a number; on this machine only)' }
                $it['--max-size'] = @{ What = 'none'; Says = 'As many pages to each file as it may hold of bytes, such as 10MB (on this machine only)' }
                $it['--blank'] = @{ What = $null; Says = 'Cut at empty pages, which are left out (on this machine only)' }
                $it['--name'] = @{ What = 'none'; Says = 'Names of the files: {stem} of the input, {n}umber, {title} of the bookmark, {first} and {last} page (on this machine only)' }
                $it['--recursive'] = $same[0]
                $it['--sort'] = $same[1]
                $it['--password-file'] = $same[2]
                $it['--password-for'] = $same[3]
                $it['--salvage'] = $same[4]
                $it['--keep-conformance'] = $same[8]
                $it['--out-dir'] = $same[5]
                $it['-j'] = $same[6]
                $it['--jobs'] = $same[6]
                $it['--skip-existing'] = $same[7]
                $it
            }
            Arguments = @('files pdf')
            Many = $true
        }
        'rotate' = @{
            Commands = [ordered]@{}
            Options = & {
                $it = [System.Collections.Hashtable]::new([System.StringComparer]::Ordinal)
                $it['--pages'] = @{ What = 'none'; Says = 'Pages to turn, instead of all (on this machine only)' }
                $it['--angle'] = @{ What = 'words 90 180 270 -90 -180 -270'; Says = 'Degrees, clockwise, added to how each page is turned already (one of 90, 180, 270, -90, -180, -270; required)' }
                $it['--incremental'] = $same[9]
                $it['--recursive'] = $same[0]
                $it['--sort'] = $same[1]
                $it['--password-file'] = $same[2]
                $it['--password-for'] = $same[3]
                $it['--salvage'] = $same[4]
                $it['--keep-conformance'] = $same[8]
                $it['--out-dir'] = $same[5]
                $it['-j'] = $same[6]
                $it['--jobs'] = $same[6]
                $it['--skip-existing'] = $same[7]
                $it
            }
            Arguments = @('files pdf')
            Many = $true
        }
        'pages' = @{
            Commands = [ordered]@{
                'take' = 'Put some pages into a PDF of their own'
                'drop' = 'Leave pages out'
                'reverse' = 'Turn the order of pages round'
                'order' = 'Put pages in another order'
                'explain' = 'Say which pages a range means, in words or in a PDF'
            }
            Options = [System.Collections.Hashtable]::new([System.StringComparer]::Ordinal)
            Arguments = @()
            Many = $false
        }
        'pages take' = @{
            Commands = [ordered]@{}
            Options = & {
                $it = [System.Collections.Hashtable]::new([System.StringComparer]::Ordinal)
                $it['--pages'] = @{ What = 'none'; Says = 'Pages to take, such as 3,1-2 or r2- (or as the last word; required)' }
                $it['--recursive'] = $same[0]
                $it['--sort'] = $same[1]
                $it['--password-file'] = $same[2]
                $it['--password-for'] = $same[3]
                $it['--salvage'] = $same[4]
                $it['--keep-conformance'] = $same[8]
                $it['--out-dir'] = $same[5]
                $it['-j'] = $same[6]
                $it['--jobs'] = $same[6]
                $it['--skip-existing'] = $same[7]
                $it
            }
            Arguments = @('files pdf')
            Many = $true
        }
        'pages drop' = @{
            Commands = [ordered]@{}
            Options = & {
                $it = [System.Collections.Hashtable]::new([System.StringComparer]::Ordinal)
                $it['--pages'] = @{ What = 'none'; Says = 'Pages to leave out, such as 1,7-9 (or as the last word; required)' }
                $it['--recursive'] = $same[0]
                $it['--sort'] = $same[1]
                $it['--password-file'] = $same[2]
                $it['--password-for'] = $same[3]
                $it['--salvage'] = $same[4]
                $it['--keep-conformance'] = $same[8]
                $it['--out-dir'] = $same[5]
                $it['-j'] = $same[6]
                $it['--jobs'] = $same[6]
                $it['--skip-existing'] = $same[7]
                $it
            }
            Arguments = @('files pdf')
            Many = $true
        }
        'pages reverse' = @{
            Commands = [ordered]@{}
            Options = & {
                $it = [System.Collections.Hashtable]::new([System.StringComparer]::Ordinal)
                $it['--pages'] = @{ What = 'none'; Says = 'Pages whose order is turned round, instead of all (or as the last word)' }
                $it['--recursive'] = $same[0]
                $it['--sort'] = $same[1]
                $it['--password-file'] = $same[2]
                $it['--password-for'] = $same[3]
                $it['--salvage'] = $same[4]
                $it['--keep-conformance'] = $same[8]
                $it['--out-dir'] = $same[5]
                $it['-j'] = $same[6]
                $it['--jobs'] = $same[6]
                $it['--skip-existing'] = $same[7]
                $it
            }
            Arguments = @('files pdf')
            Many = $true
        }
        'pages order' = @{
            Commands = [ordered]@{}
            Options = & {
                $it = [System.Collections.Hashtable]::new([System.StringComparer]::Ordinal)
                $it['--pages'] = @{ What = 'none'; Says = 'Pages that come first, in their order, such as 3,1-2 (or as the last word; required)' }
                $it['--recursive'] = $same[0]
                $it['--sort'] = $same[1]
                $it['--password-file'] = $same[2]
                $it['--password-for'] = $same[3]
                $it['--salvage'] = $same[4]
                $it['--keep-conformance'] = $same[8]
                $it['--out-dir'] = $same[5]
                $it['-j'] = $same[6]
                $it['--jobs'] = $same[6]
                $it['--skip-existing'] = $same[7]
                $it
            }
            Arguments = @('files pdf')
            Many = $true
        }
        'pages explain' = @{
            Commands = [ordered]@{}
            Options = & {
                $it = [System.Collections.Hashtable]::new([System.StringComparer]::Ordinal)
                $it['--password-file'] = @{ What = 'files'; Says = 'File whose first line is the password of the PDF; - is standard input' }
                $it
            }
            Arguments = @('none', 'files')
            Many = $false
        }
        'encrypt' = @{
            Commands = [ordered]@{}
            Options = & {
                $it = [System.Collections.Hashtable]::new([System.StringComparer]::Ordinal)
                $it['--user-password-file'] = @{ What = 'files'; Says = 'Password that opens it (the first line of this file, or PDFTOOL_USER_PASSWORD)' }
                $it['--owner-password-file'] = @{ What = 'files'; Says = 'Password that allows everything (the first line of this file, or PDFTOOL_OWNER_PASSWORD)' }
                $it['--allow'] = @{ What = 'none'; Says = 'What may be done without the owner password: all, none, or some of print, print-low, change, copy, annotate, fill-forms, assemble (at most 200 characters)' }
                $it['--deny'] = @{ What = 'none'; Says = 'What may not be done without it, of the same words (at most 200 characters)' }
                $it['--recursive'] = $same[0]
                $it['--sort'] = $same[1]
                $it['--password-file'] = $same[2]
                $it['--password-for'] = $same[3]
                $it['--salvage'] = $same[4]
                $it['--keep-conformance'] = $same[8]
                $it['--out-dir'] = $same[5]
                $it['-j'] = $same[6]
                $it['--jobs'] = $same[6]
                $it['--skip-existing'] = $same[7]
                $it
            }
            Arguments = @('files pdf')
            Many = $true
        }
        'decrypt' = @{
            Commands = [ordered]@{}
            Options = & {
                $it = [System.Collections.Hashtable]::new([System.StringComparer]::Ordinal)
                $it['--recursive'] = $same[0]
                $it['--sort'] = $same[1]
                $it['--password-file'] = $same[2]
                $it['--password-for'] = $same[3]
                $it['--salvage'] = $same[4]
                $it['--keep-conformance'] = $same[8]
                $it['--out-dir'] = $same[5]
                $it['-j'] = $same[6]
                $it['--jobs'] = $same[6]
                $it['--skip-existing'] = $same[7]
                $it
            }
            Arguments = @('files pdf')
            Many = $true
        }
        'meta' = @{
            Commands = [ordered]@{
                'show' = 'Show title, author and other metadata, and where its two places differ'
                'set' = 'Set title, author and other metadata'
                'clear' = 'Take metadata off: all of it, or some'
            }
            Options = [System.Collections.Hashtable]::new([System.StringComparer]::Ordinal)
            Arguments = @()
            Many = $false
        }
        'meta show' = @{
            Commands = [ordered]@{}
            Options = & {
                $it = [System.Collections.Hashtable]::new([System.StringComparer]::Ordinal)
                $it['--recursive'] = $same[0]
                $it['--sort'] = $same[1]
                $it['--password-file'] = $same[2]
                $it['--password-for'] = $same[3]
                $it['--salvage'] = $same[4]
                $it['--out-dir'] = $same[5]
                $it['-j'] = $same[6]
                $it['--jobs'] = $same[6]
                $it['--skip-existing'] = $same[7]
                $it
            }
            Arguments = @('files pdf')
            Many = $true
        }
        'meta set' = @{
            Commands = [ordered]@{}
            Options = & {
                $it = [System.Collections.Hashtable]::new([System.StringComparer]::Ordinal)
                $it['--title'] = @{ What = 'none'; Says = 'Title (at most 10000 characters)' }
                $it['--author'] = @{ What = 'none'; Says = 'Author (at most 10000 characters)' }
                $it['--subject'] = @{ What = 'none'; Says = 'Subject (at most 10000 characters)' }
                $it['--keywords'] = @{ What = 'none'; Says = 'Keywords, with commas between them (at most 10000 characters)' }
                $it['--creator'] = @{ What = 'none'; Says = 'Program that the document was written with (at most 10000 characters)' }
                $it['--producer'] = @{ What = 'none'; Says = 'Program that made the PDF (at most 10000 characters)' }
                $it['--created'] = @{ What = 'none'; Says = 'When it was made, such as 2026-11-22 or 2026-11-22T21:40:00+01:00 (at most 10000 characters)' }
                $it['--modified'] = @{ What = 'none'; Says = 'When it was changed (at most 10000 characters)' }
                $it['--incremental'] = $same[9]
                $it['--recursive'] = $same[0]
                $it['--sort'] = $same[1]
                $it['--password-file'] = $same[2]
                $it['--password-for'] = $same[3]
                $it['--salvage'] = $same[4]
                $it['--keep-conformance'] = $same[8]
                $it['--out-dir'] = $same[5]
                $it['-j'] = $same[6]
                $it['--jobs'] = $same[6]
                $it['--skip-existing'] = $same[7]
                $it
            }
            Arguments = @('files pdf')
            Many = $true
        }
        'meta clear' = @{
            Commands = [ordered]@{}
            Options = & {
                $it = [System.Collections.Hashtable]::new([System.StringComparer]::Ordinal)
                $it['--fields'] = @{ What = 'none'; Says = 'Only these, such as author,producer (at most 200 characters)' }
                $it['--recursive'] = $same[0]
                $it['--sort'] = $same[1]
                $it['--password-file'] = $same[2]
                $it['--password-for'] = $same[3]
                $it['--salvage'] = $same[4]
                $it['--keep-conformance'] = $same[8]
                $it['--out-dir'] = $same[5]
                $it['-j'] = $same[6]
                $it['--jobs'] = $same[6]
                $it['--skip-existing'] = $same[7]
                $it
            }
            Arguments = @('files pdf')
            Many = $true
        }
        'bookmarks' = @{
            Commands = [ordered]@{
                'show' = 'Show the bookmarks with their pages, in a form that bookmarks set takes'
                'set' = 'Give a PDF the bookmarks of a list'
                'clear' = 'Take all bookmarks off'
            }
            Options = [System.Collections.Hashtable]::new([System.StringComparer]::Ordinal)
            Arguments = @()
            Many = $false
        }
        'bookmarks show' = @{
            Commands = [ordered]@{}
            Options = & {
                $it = [System.Collections.Hashtable]::new([System.StringComparer]::Ordinal)
                $it['--recursive'] = $same[0]
                $it['--sort'] = $same[1]
                $it['--password-file'] = $same[2]
                $it['--password-for'] = $same[3]
                $it['--salvage'] = $same[4]
                $it['--out-dir'] = $same[5]
                $it['-j'] = $same[6]
                $it['--jobs'] = $same[6]
                $it['--skip-existing'] = $same[7]
                $it
            }
            Arguments = @('files pdf')
            Many = $true
        }
        'bookmarks set' = @{
            Commands = [ordered]@{}
            Options = & {
                $it = [System.Collections.Hashtable]::new([System.StringComparer]::Ordinal)
                $it['--bookmarks'] = @{ What = 'none'; Says = 'The list; @FILE is what a file says (required)' }
                $it['--incremental'] = $same[9]
                $it['--recursive'] = $same[0]
                $it['--sort'] = $same[1]
                $it['--password-file'] = $same[2]
                $it['--password-for'] = $same[3]
                $it['--salvage'] = $same[4]
                $it['--keep-conformance'] = $same[8]
                $it['--out-dir'] = $same[5]
                $it['-j'] = $same[6]
                $it['--jobs'] = $same[6]
                $it['--skip-existing'] = $same[7]
                $it
            }
            Arguments = @('files pdf')
            Many = $true
        }
        'bookmarks clear' = @{
            Commands = [ordered]@{}
            Options = & {
                $it = [System.Collections.Hashtable]::new([System.StringComparer]::Ordinal)
                $it['--recursive'] = $same[0]
                $it['--sort'] = $same[1]
                $it['--password-file'] = $same[2]
                $it['--password-for'] = $same[3]
                $it['--salvage'] = $same[4]
                $it['--keep-conformance'] = $same[8]
                $it['--out-dir'] = $same[5]
                $it['-j'] = $same[6]
                $it['--jobs'] = $same[6]
                $it['--skip-existing'] = $same[7]
                $it
            }
            Arguments = @('files pdf')
            Many = $true
        }
        'labels' = @{
            Commands = [ordered]@{
                'show' = 'Show how pages are labelled, in a form that labels set takes'
                'set' = 'Set the page labels that viewers show'
                'clear' = 'Take all page labels off, so that pages are counted from 1'
            }
            Options = [System.Collections.Hashtable]::new([System.StringComparer]::Ordinal)
            Arguments = @()
            Many = $false
        }
        'labels show' = @{
            Commands = [ordered]@{}
            Options = & {
                $it = [System.Collections.Hashtable]::new([System.StringComparer]::Ordinal)
                $it['--recursive'] = $same[0]
                $it['--sort'] = $same[1]
                $it['--password-file'] = $same[2]
                $it['--password-for'] = $same[3]
                $it['--salvage'] = $same[4]
                $it['--out-dir'] = $same[5]
                $it['-j'] = $same[6]
                $it['--jobs'] = $same[6]
                $it['--skip-existing'] = $same[7]
                $it
            }
            Arguments = @('files pdf')
            Many = $true
        }
        'labels set' = @{
            Commands = [ordered]@{}
            Options = & {
                $it = [System.Collections.Hashtable]::new([System.StringComparer]::Ordinal)
                $it['--labels'] = @{ What = 'none'; Says = 'Labels, such as 1:r,5:D,20:D/1/A-; @FILE is what a file says (required)' }
                $it['--incremental'] = $same[9]
                $it['--recursive'] = $same[0]
                $it['--sort'] = $same[1]
                $it['--password-file'] = $same[2]
                $it['--password-for'] = $same[3]
                $it['--salvage'] = $same[4]
                $it['--keep-conformance'] = $same[8]
                $it['--out-dir'] = $same[5]
                $it['-j'] = $same[6]
                $it['--jobs'] = $same[6]
                $it['--skip-existing'] = $same[7]
                $it
            }
            Arguments = @('files pdf')
            Many = $true
        }
        'labels clear' = @{
            Commands = [ordered]@{}
            Options = & {
                $it = [System.Collections.Hashtable]::new([System.StringComparer]::Ordinal)
                $it['--recursive'] = $same[0]
                $it['--sort'] = $same[1]
                $it['--password-file'] = $same[2]
                $it['--password-for'] = $same[3]
                $it['--salvage'] = $same[4]
                $it['--keep-conformance'] = $same[8]
                $it['--out-dir'] = $same[5]
                $it['-j'] = $same[6]
                $it['--jobs'] = $same[6]
                $it['--skip-existing'] = $same[7]
                $it
            }
            Arguments = @('files pdf')
            Many = $true
        }
        'attach' = @{
            Commands = [ordered]@{
                'list' = 'List the files that a PDF holds'
                'add' = 'Put files into a PDF'
                'extract' = 'Take the files out that a PDF holds'
                'remove' = 'Take files off a PDF'
            }
            Options = [System.Collections.Hashtable]::new([System.StringComparer]::Ordinal)
            Arguments = @()
            Many = $false
        }
        'attach list' = @{
            Commands = [ordered]@{}
            Options = & {
                $it = [System.Collections.Hashtable]::new([System.StringComparer]::Ordinal)
                $it['--recursive'] = $same[0]
                $it['--sort'] = $same[1]
                $it['--password-file'] = $same[2]
                $it['--password-for'] = $same[3]
                $it['--salvage'] = $same[4]
                $it['--out-dir'] = $same[5]
                $it['-j'] = $same[6]
                $it['--jobs'] = $same[6]
                $it['--skip-existing'] = $same[7]
                $it
            }
            Arguments = @('files pdf')
            Many = $true
        }
        'attach add' = @{
            Commands = [ordered]@{}
            Options = & {
                $it = [System.Collections.Hashtable]::new([System.StringComparer]::Ordinal)
                $it['--description'] = @{ What = 'none'; Says = 'What the files are (at most 1000 characters)' }
                $it['--relationship'] = @{ What = 'words source data alternative supplement unspecified'; Says = 'How they belong to the document (one of source, data, alternative, supplement, unspecified)' }
                $it['--replace'] = @{ What = $null; Says = 'Put a file in the place of one of the same name' }
                $it['--incremental'] = $same[9]
                $it['--recursive'] = $same[0]
                $it['--sort'] = $same[1]
                $it['--password-file'] = $same[2]
                $it['--password-for'] = $same[3]
                $it['--salvage'] = $same[4]
                $it['--keep-conformance'] = $same[8]
                $it
            }
            Arguments = @('files')
            Many = $true
        }
        'attach extract' = @{
            Commands = [ordered]@{}
            Options = & {
                $it = [System.Collections.Hashtable]::new([System.StringComparer]::Ordinal)
                $it['--name'] = @{ What = 'none'; Says = 'Only the files of this name (at most 1000 characters)' }
                $it['--recursive'] = $same[0]
                $it['--sort'] = $same[1]
                $it['--password-file'] = $same[2]
                $it['--password-for'] = $same[3]
                $it['--salvage'] = $same[4]
                $it['--out-dir'] = $same[5]
                $it['-j'] = $same[6]
                $it['--jobs'] = $same[6]
                $it['--skip-existing'] = $same[7]
                $it
            }
            Arguments = @('files pdf')
            Many = $true
        }
        'attach remove' = @{
            Commands = [ordered]@{}
            Options = & {
                $it = [System.Collections.Hashtable]::new([System.StringComparer]::Ordinal)
                $it['--name'] = @{ What = 'none'; Says = 'The file of this name (at most 1000 characters)' }
                $it['--all'] = @{ What = $null; Says = 'All of them' }
                $it['--recursive'] = $same[0]
                $it['--sort'] = $same[1]
                $it['--password-file'] = $same[2]
                $it['--password-for'] = $same[3]
                $it['--salvage'] = $same[4]
                $it['--keep-conformance'] = $same[8]
                $it['--out-dir'] = $same[5]
                $it['-j'] = $same[6]
                $it['--jobs'] = $same[6]
                $it['--skip-existing'] = $same[7]
                $it
            }
            Arguments = @('files pdf')
            Many = $true
        }
        'compress' = @{
            Commands = [ordered]@{}
            Options = & {
                $it = [System.Collections.Hashtable]::new([System.StringComparer]::Ordinal)
                $it['--target'] = $same[10]
                $it['--pages'] = @{ What = 'none'; Says = 'Pages that the output has, instead of all, such as 1-3,7 (on this machine only)' }
                $it['--lossless'] = $same[11]
                $it['--quality'] = $same[12]
                $it['--dpi'] = $same[13]
                $it['--grayscale'] = $same[14]
                $it['--bilevel'] = $same[15]
                $it['--no-mrc'] = $same[16]
                $it['--fast'] = $same[17]
                $it['--allow-unreadable'] = $same[18]
                $it['--recursive'] = $same[0]
                $it['--sort'] = $same[1]
                $it['--password-file'] = $same[2]
                $it['--password-for'] = $same[3]
                $it['--salvage'] = $same[4]
                $it['--keep-conformance'] = $same[8]
                $it['--out-dir'] = $same[5]
                $it['-j'] = $same[6]
                $it['--jobs'] = $same[6]
                $it['--skip-existing'] = $same[7]
                $it['--require-target'] = $same[19]
                $it
            }
            Arguments = @('files pdf')
            Many = $true
        }
        'merge-compress' = @{
            Commands = [ordered]@{}
            Options = & {
                $it = [System.Collections.Hashtable]::new([System.StringComparer]::Ordinal)
                $it['--target'] = $same[10]
                $it['--lossless'] = $same[11]
                $it['--quality'] = $same[12]
                $it['--dpi'] = $same[13]
                $it['--grayscale'] = $same[14]
                $it['--bilevel'] = $same[15]
                $it['--no-mrc'] = $same[16]
                $it['--fast'] = $same[17]
                $it['--allow-unreadable'] = $same[18]
                $it['--recursive'] = $same[0]
                $it['--sort'] = $same[1]
                $it['--password-file'] = $same[2]
                $it['--password-for'] = $same[3]
                $it['--salvage'] = $same[4]
                $it['--keep-conformance'] = $same[8]
                $it['--require-target'] = $same[19]
                $it
            }
            Arguments = @('files pdf')
            Many = $true
        }
        'images-to-pdf' = @{
            Commands = [ordered]@{}
            Options = & {
                $it = [System.Collections.Hashtable]::new([System.StringComparer]::Ordinal)
                $it['--page-size'] = $same[20]
                $it['--margin'] = $same[21]
                $it['--dpi'] = @{ What = 'none'; Says = 'Pixels to the inch, whatever the images say (10 to 2400; on this machine only)' }
                $it['--recursive'] = $same[0]
                $it['--sort'] = $same[1]
                $it
            }
            Arguments = @('files png jpg jpeg')
            Many = $true
        }
        'images-to-pdf-compress' = @{
            Commands = [ordered]@{}
            Options = & {
                $it = [System.Collections.Hashtable]::new([System.StringComparer]::Ordinal)
                $it['--target'] = $same[10]
                $it['--page-size'] = $same[20]
                $it['--margin'] = $same[21]
                $it['--lossless'] = $same[11]
                $it['--quality'] = $same[12]
                $it['--dpi'] = $same[13]
                $it['--grayscale'] = $same[14]
                $it['--bilevel'] = $same[15]
                $it['--no-mrc'] = $same[16]
                $it['--fast'] = $same[17]
                $it['--allow-unreadable'] = $same[18]
                $it['--recursive'] = $same[0]
                $it['--sort'] = $same[1]
                $it['--require-target'] = $same[19]
                $it
            }
            Arguments = @('files png jpg jpeg')
            Many = $true
        }
        'to-images' = @{
            Commands = [ordered]@{}
            Options = & {
                $it = [System.Collections.Hashtable]::new([System.StringComparer]::Ordinal)
                $it['--pages'] = @{ What = 'none'; Says = 'Pages to draw, instead of all, such as 1-3,7' }
                $it['--format'] = @{ What = 'words png jpeg webp'; Says = 'Kind of picture (one of png, jpeg, webp; default png)' }
                $it['--dpi'] = @{ What = 'none'; Says = 'Pixels per inch (1 to 2400; default 150)' }
                $it['--width'] = @{ What = 'none'; Says = 'Width in pixels; with a height, the largest picture that fits in both (1 to 65500)' }
                $it['--height'] = @{ What = 'none'; Says = 'Height in pixels (1 to 65500)' }
                $it['--grayscale'] = @{ What = $null; Says = 'Shades of grey instead of colours' }
                $it['--quality'] = @{ What = 'none'; Says = 'Quality of JPEG and WebP (1 to 100; default 85)' }
                $it['--transparent'] = @{ What = $null; Says = 'Nothing behind the page instead of white; for PNG and WebP' }
                $it['--recursive'] = $same[0]
                $it['--sort'] = $same[1]
                $it['--password-file'] = $same[2]
                $it['--password-for'] = $same[3]
                $it['--salvage'] = $same[4]
                $it['--out-dir'] = $same[5]
                $it['-j'] = $same[6]
                $it['--jobs'] = $same[6]
                $it['--skip-existing'] = $same[7]
                $it
            }
            Arguments = @('files pdf')
            Many = $true
        }
        'images' = @{
            Commands = [ordered]@{}
            Options = & {
                $it = [System.Collections.Hashtable]::new([System.StringComparer]::Ordinal)
                $it['--pages'] = $same[22]
                $it['--list'] = @{ What = $null; Says = 'List them with page, size and resolution, and write none' }
                $it['--recursive'] = $same[0]
                $it['--sort'] = $same[1]
                $it['--password-file'] = $same[2]
                $it['--password-for'] = $same[3]
                $it['--salvage'] = $same[4]
                $it['--out-dir'] = $same[5]
                $it['-j'] = $same[6]
                $it['--jobs'] = $same[6]
                $it['--skip-existing'] = $same[7]
                $it
            }
            Arguments = @('files pdf')
            Many = $true
        }
        'ocr' = @{
            Commands = [ordered]@{
                'languages' = 'Languages whose words can be recognised on this machine'
            }
            Options = & {
                $it = [System.Collections.Hashtable]::new([System.StringComparer]::Ordinal)
                $it['--language'] = @{ What = 'none'; Says = 'Languages by their three letters, such as eng or eng+deu (at most 100 characters; default eng)' }
                $it['--pages'] = $same[22]
                $it['--all'] = @{ What = $null; Says = 'Read pages with text too, beside the text that they have' }
                $it['--redo'] = @{ What = $null; Says = 'Take invisible text of an earlier run away, and read those pages again' }
                $it['--rotate-pages'] = @{ What = 'words auto off'; Says = 'Turn pages upright that lie on their side or their head, where it is sure how they lie (one of auto, off; default auto)' }
                $it['--deskew'] = @{ What = 'words text page'; Says = 'Straighten lines that run askew: in the text layer alone, or by turning the page (one of text, page)' }
                $it['--optimize'] = @{ What = $null; Says = 'Also make it smaller, as compress does: scans come to a quarter of their bytes and look the same' }
                $it['--to'] = @{ What = 'words pdfa-2b pdfa-2u pdfa-3b'; Says = 'Make it a PDF/A in the same run (one of pdfa-2b, pdfa-2u, pdfa-3b)' }
                $it['--text'] = @{ What = 'none'; Says = 'Also write the words to this file: JSON lines with page, box in points and confidence (on this machine only)' }
                $it['--recursive'] = $same[0]
                $it['--sort'] = $same[1]
                $it['--password-file'] = $same[2]
                $it['--password-for'] = $same[3]
                $it['--salvage'] = $same[4]
                $it['--keep-conformance'] = $same[8]
                $it['--out-dir'] = $same[5]
                $it['-j'] = $same[6]
                $it['--jobs'] = $same[6]
                $it['--skip-existing'] = $same[7]
                $it
            }
            Arguments = @('files pdf')
            Many = $true
        }
        'ocr languages' = @{
            Commands = [ordered]@{
                'list' = 'List them, with who recognises each'
                'add' = 'Have npm fetch what recognises them; nothing else ever downloads it'
            }
            Options = [System.Collections.Hashtable]::new([System.StringComparer]::Ordinal)
            Arguments = @()
            Many = $false
        }
        'ocr languages list' = @{
            Commands = [ordered]@{}
            Options = [System.Collections.Hashtable]::new([System.StringComparer]::Ordinal)
            Arguments = @()
            Many = $false
        }
        'ocr languages add' = @{
            Commands = [ordered]@{}
            Options = [System.Collections.Hashtable]::new([System.StringComparer]::Ordinal)
            Arguments = @('none')
            Many = $true
        }
        'stamp' = @{
            Commands = [ordered]@{}
            Options = & {
                $it = [System.Collections.Hashtable]::new([System.StringComparer]::Ordinal)
                $it['--text'] = @{ What = 'none'; Says = 'Text to put on, such as "Draft" or "{page} of {pages}"; may have several lines (at most 2000 characters)' }
                $it['--image'] = @{ What = 'files png jpg jpeg'; Says = 'Picture to put on' }
                $it['--pdf'] = @{ What = 'files pdf'; Says = 'PDF whose first page is put on' }
                $it['--pages'] = @{ What = 'none'; Says = 'Pages to stamp, instead of all, such as 1-3,7' }
                $it['--position'] = @{ What = 'words center top bottom left right top-left top-right bottom-left bottom-right'; Says = 'Where on the page (one of center, top, bottom, left, right, top-left, top-right, bottom-left, bottom-right; default center)' }
                $it['--margin'] = @{ What = 'none'; Says = 'Points to the edges of the page; 36, or 0 for a PDF, unless given (0 to 14400)' }
                $it['--rotation'] = @{ What = 'none'; Says = 'Degrees, counter-clockwise (-360 to 360; default 0)' }
                $it['--opacity'] = $same[23]
                $it['--under'] = $same[24]
                $it['--scale'] = @{ What = 'none'; Says = 'Size of the picture or page: 1 is its own; never larger than the room (0.001 to 1000; default 1)' }
                $it['--font'] = $same[25]
                $it['--font-file'] = $same[26]
                $it['--size'] = @{ What = 'none'; Says = 'Size of the text in points; smaller where it would not fit (1 to 2000; default 24)' }
                $it['--color'] = $same[27]
                $it['--incremental'] = $same[9]
                $it['--recursive'] = $same[0]
                $it['--sort'] = $same[1]
                $it['--password-file'] = $same[2]
                $it['--password-for'] = $same[3]
                $it['--salvage'] = $same[4]
                $it['--keep-conformance'] = $same[8]
                $it['--out-dir'] = $same[5]
                $it['-j'] = $same[6]
                $it['--jobs'] = $same[6]
                $it['--skip-existing'] = $same[7]
                $it
            }
            Arguments = @('files pdf')
            Many = $true
        }
        'number' = @{
            Commands = [ordered]@{}
            Options = & {
                $it = [System.Collections.Hashtable]::new([System.StringComparer]::Ordinal)
                $it['--pages'] = @{ What = 'none'; Says = 'Pages to number, instead of all, such as 3-' }
                $it['--start'] = @{ What = 'none'; Says = 'Number of the first one (0 to 999999999; default 1)' }
                $it['--format'] = @{ What = 'none'; Says = 'What is written, such as "{page} of {pages}" or "A{page:6}" (at most 200 characters; default {page})' }
                $it['--position'] = @{ What = 'words center top bottom left right top-left top-right bottom-left bottom-right'; Says = 'Where on the page (one of center, top, bottom, left, right, top-left, top-right, bottom-left, bottom-right; default bottom)' }
                $it['--margin'] = @{ What = 'none'; Says = 'Points to the edges of the page; 24 unless given (0 to 14400)' }
                $it['--font'] = $same[25]
                $it['--font-file'] = $same[26]
                $it['--size'] = @{ What = 'none'; Says = 'Size of the text in points (1 to 2000; default 10)' }
                $it['--color'] = $same[27]
                $it['--recursive'] = $same[0]
                $it['--sort'] = $same[1]
                $it['--password-file'] = $same[2]
                $it['--password-for'] = $same[3]
                $it['--salvage'] = $same[4]
                $it['--keep-conformance'] = $same[8]
                $it['--out-dir'] = $same[5]
                $it['-j'] = $same[6]
                $it['--jobs'] = $same[6]
                $it['--skip-existing'] = $same[7]
                $it
            }
            Arguments = @('files pdf')
            Many = $true
        }
        'overlay' = @{
            Commands = [ordered]@{}
            Options = & {
                $it = [System.Collections.Hashtable]::new([System.StringComparer]::Ordinal)
                $it['--pdf'] = @{ What = 'files pdf'; Says = 'PDF whose pages are laid over (required)' }
                $it['--pages'] = @{ What = 'none'; Says = 'Pages to lay over, instead of all, such as 1-3,7' }
                $it['--repeat'] = @{ What = 'words none last all'; Says = 'What becomes of pages that are left (one of none, last, all; default none)' }
                $it['--opacity'] = $same[23]
                $it['--under'] = $same[24]
                $it['--recursive'] = $same[0]
                $it['--sort'] = $same[1]
                $it['--password-file'] = $same[2]
                $it['--password-for'] = $same[3]
                $it['--salvage'] = $same[4]
                $it['--keep-conformance'] = $same[8]
                $it['--out-dir'] = $same[5]
                $it['-j'] = $same[6]
                $it['--jobs'] = $same[6]
                $it['--skip-existing'] = $same[7]
                $it
            }
            Arguments = @('files pdf')
            Many = $true
        }
        'nup' = @{
            Commands = [ordered]@{}
            Options = & {
                $it = [System.Collections.Hashtable]::new([System.StringComparer]::Ordinal)
                $it['--per-sheet'] = @{ What = 'none'; Says = 'Pages on a sheet, such as 2, 4 or 9 (1 to 100; required)' }
                $it['--pages'] = @{ What = 'none'; Says = 'Pages to put on sheets, instead of all, such as 1-3,7' }
                $it['--paper'] = @{ What = 'words A3 A4 A5 Letter Legal Tabloid'; Says = 'Paper of the sheets; they lie where pages are larger so (one of A3, A4, A5, Letter, Legal, Tabloid; default A4)' }
                $it['--margin'] = @{ What = 'none'; Says = 'Points around the pages of a sheet (0 to 14400; default 0)' }
                $it['--gap'] = @{ What = 'none'; Says = 'Points between pages; 6 unless given, 0 in a booklet (0 to 14400)' }
                $it['--border'] = @{ What = $null; Says = 'A line around each page' }
                $it['--booklet'] = @{ What = $null; Says = 'In the order of a booklet, to be folded once: two pages on a sheet' }
                $it['--recursive'] = $same[0]
                $it['--sort'] = $same[1]
                $it['--password-file'] = $same[2]
                $it['--password-for'] = $same[3]
                $it['--salvage'] = $same[4]
                $it['--keep-conformance'] = $same[8]
                $it['--out-dir'] = $same[5]
                $it['-j'] = $same[6]
                $it['--jobs'] = $same[6]
                $it['--skip-existing'] = $same[7]
                $it
            }
            Arguments = @('files pdf')
            Many = $true
        }
        'crop' = @{
            Commands = [ordered]@{}
            Options = & {
                $it = [System.Collections.Hashtable]::new([System.StringComparer]::Ordinal)
                $it['--pages'] = @{ What = 'none'; Says = 'Pages to crop, instead of all, such as 1-3,7' }
                $it['--margin'] = @{ What = 'none'; Says = 'Points to cut off at every edge (0 to 14400; default 0)' }
                $it['--left'] = @{ What = 'none'; Says = 'Points to cut off at the left (0 to 14400)' }
                $it['--right'] = @{ What = 'none'; Says = 'Points to cut off at the right (0 to 14400)' }
                $it['--top'] = @{ What = 'none'; Says = 'Points to cut off at the top (0 to 14400)' }
                $it['--bottom'] = @{ What = 'none'; Says = 'Points to cut off at the bottom (0 to 14400)' }
                $it['--auto'] = @{ What = $null; Says = 'Cut off what is white, but for the margin' }
                $it['--recursive'] = $same[0]
                $it['--sort'] = $same[1]
                $it['--password-file'] = $same[2]
                $it['--password-for'] = $same[3]
                $it['--salvage'] = $same[4]
                $it['--keep-conformance'] = $same[8]
                $it['--out-dir'] = $same[5]
                $it['-j'] = $same[6]
                $it['--jobs'] = $same[6]
                $it['--skip-existing'] = $same[7]
                $it
            }
            Arguments = @('files pdf')
            Many = $true
        }
        'resize' = @{
            Commands = [ordered]@{}
            Options = & {
                $it = [System.Collections.Hashtable]::new([System.StringComparer]::Ordinal)
                $it['--pages'] = @{ What = 'none'; Says = 'Pages to resize, instead of all, such as 1-3,7' }
                $it['--paper'] = @{ What = 'words A3 A4 A5 Letter Legal Tabloid'; Says = 'Paper to fit (one of A3, A4, A5, Letter, Legal, Tabloid)' }
                $it['--width'] = @{ What = 'none'; Says = 'Width of another paper in points; its height as well (3 to 14400)' }
                $it['--height'] = @{ What = 'none'; Says = 'Height of another paper in points (3 to 14400)' }
                $it['--margin'] = @{ What = 'none'; Says = 'Points that stay free at each edge (0 to 14400; default 0)' }
                $it['--scale'] = @{ What = 'none'; Says = 'By how much, not to fit: 1 changes the paper alone (0.01 to 100)' }
                $it['--upright'] = @{ What = $null; Says = 'The paper stands, also for pages that lie' }
                $it['--recursive'] = $same[0]
                $it['--sort'] = $same[1]
                $it['--password-file'] = $same[2]
                $it['--password-for'] = $same[3]
                $it['--salvage'] = $same[4]
                $it['--keep-conformance'] = $same[8]
                $it['--out-dir'] = $same[5]
                $it['-j'] = $same[6]
                $it['--jobs'] = $same[6]
                $it['--skip-existing'] = $same[7]
                $it
            }
            Arguments = @('files pdf')
            Many = $true
        }
        'blank' = @{
            Commands = [ordered]@{}
            Options = & {
                $it = [System.Collections.Hashtable]::new([System.StringComparer]::Ordinal)
                $it['--after'] = @{ What = 'none'; Says = 'Put one behind each of these pages, such as 3,7 or z' }
                $it['--first'] = @{ What = $null; Says = 'Put one before the first page' }
                $it['--count'] = @{ What = 'none'; Says = 'How many at each place (1 to 1000; default 1)' }
                $it['--paper'] = @{ What = 'words A3 A4 A5 Letter Legal Tabloid'; Says = 'Paper of the empty pages (one of A3, A4, A5, Letter, Legal, Tabloid)' }
                $it['--recursive'] = $same[0]
                $it['--sort'] = $same[1]
                $it['--password-file'] = $same[2]
                $it['--password-for'] = $same[3]
                $it['--salvage'] = $same[4]
                $it['--keep-conformance'] = $same[8]
                $it['--out-dir'] = $same[5]
                $it['-j'] = $same[6]
                $it['--jobs'] = $same[6]
                $it['--skip-existing'] = $same[7]
                $it
            }
            Arguments = @('files pdf')
            Many = $true
        }
        'compare' = @{
            Commands = [ordered]@{}
            Options = & {
                $it = [System.Collections.Hashtable]::new([System.StringComparer]::Ordinal)
                $it['--text'] = @{ What = $null; Says = 'Compare the words alone, and draw nothing' }
                $it['--dpi'] = @{ What = 'none'; Says = 'Pixels per inch of what is compared (10 to 600; default 96)' }
                $it['--tolerance'] = @{ What = 'none'; Says = 'Shades from 0 to 255 that a pixel may differ by (default 8)' }
                $it['--html'] = @{ What = 'none'; Says = 'Also write a page to look at to this file: both pages and what differs; a service answers with the page (on this machine only)' }
                $it['--recursive'] = $same[0]
                $it['--sort'] = $same[1]
                $it['--password-file'] = $same[2]
                $it['--password-for'] = $same[3]
                $it['--salvage'] = $same[4]
                $it
            }
            Arguments = @('files pdf')
            Many = $true
        }
        'verify' = @{
            Commands = [ordered]@{}
            Options = & {
                $it = [System.Collections.Hashtable]::new([System.StringComparer]::Ordinal)
                $it['--trust'] = @{ What = 'files pem crt cer'; Says = 'Certificates to trust besides those of the system, in PEM' }
                $it['--online'] = @{ What = $null; Says = 'Ask the issuers of certificates whether they were revoked (on this machine only)' }
                $it['--recursive'] = $same[0]
                $it['--sort'] = $same[1]
                $it['--password-file'] = $same[2]
                $it['--password-for'] = $same[3]
                $it['--salvage'] = $same[4]
                $it['--out-dir'] = $same[5]
                $it['-j'] = $same[6]
                $it['--jobs'] = $same[6]
                $it['--skip-existing'] = $same[7]
                $it
            }
            Arguments = @('files pdf')
            Many = $true
        }
        'sign' = @{
            Commands = [ordered]@{}
            Options = & {
                $it = [System.Collections.Hashtable]::new([System.StringComparer]::Ordinal)
                $it['--key'] = @{ What = 'files p12 pfx pem crt cer'; Says = 'The key, in PEM or PKCS#12' }
                $it['--key-password-file'] = @{ What = 'files'; Says = 'Password of the key (the first line of this file, or PDFTOOL_KEY_PASSWORD)' }
                $it['--cert'] = @{ What = 'files pem crt cer'; Says = 'Certificates of the key and its issuers, in PEM' }
                $it['--command'] = @{ What = 'none'; Says = 'Command line of a program that signs in place of a key (at most 1000 characters)' }
                $it['--digest'] = @{ What = 'words sha256 sha384 sha512'; Says = 'Digest; left out, one that suits the key (one of sha256, sha384, sha512)' }
                $it['--pss'] = @{ What = $null; Says = 'Sign with RSA-PSS where the key is one of RSA' }
                $it['--field'] = @{ What = 'none'; Says = 'Signature field to sign, there already or new (at most 200 characters)' }
                $it['--reason'] = @{ What = 'none'; Says = 'Why it is signed (at most 500 characters)' }
                $it['--location'] = @{ What = 'none'; Says = 'Where it is signed (at most 200 characters)' }
                $it['--contact'] = @{ What = 'none'; Says = 'How to reach the signer (at most 200 characters)' }
                $it['--visible'] = @{ What = $null; Says = 'Show the signature on a page' }
                $it['--page'] = @{ What = 'none'; Says = 'Page that shows it; the first unless given (at least 1)' }
                $it['--position'] = @{ What = 'words bottom-right bottom-left top-right top-left bottom top center'; Says = 'Where on the page (one of bottom-right, bottom-left, top-right, top-left, bottom, top, center)' }
                $it['--image'] = @{ What = 'files png jpg jpeg'; Says = 'Picture in the visible signature' }
                $it['--certify'] = @{ What = 'words no-changes form-filling annotations'; Says = 'Certify the document: what others may do to it afterwards (one of no-changes, form-filling, annotations)' }
                $it['--timestamp'] = @{ What = 'none'; Says = 'Address of the authority that stamps the time (at most 500 characters)' }
                $it['--revocation'] = $same[28]
                $it['--online'] = $same[29]
                $it['--recursive'] = $same[0]
                $it['--sort'] = $same[1]
                $it['--password-file'] = $same[2]
                $it['--password-for'] = $same[3]
                $it['--salvage'] = $same[4]
                $it['--keep-conformance'] = $same[8]
                $it['--out-dir'] = $same[5]
                $it['-j'] = $same[6]
                $it['--jobs'] = $same[6]
                $it['--skip-existing'] = $same[7]
                $it
            }
            Arguments = @('files pdf')
            Many = $true
        }
        'timestamp' = @{
            Commands = [ordered]@{}
            Options = & {
                $it = [System.Collections.Hashtable]::new([System.StringComparer]::Ordinal)
                $it['--timestamp'] = @{ What = 'none'; Says = 'Address of the authority that stamps the time (at most 500 characters; required)' }
                $it['--field'] = @{ What = 'none'; Says = 'Signature field to use, there already or new (at most 200 characters)' }
                $it['--revocation'] = $same[28]
                $it['--online'] = $same[29]
                $it['--recursive'] = $same[0]
                $it['--sort'] = $same[1]
                $it['--password-file'] = $same[2]
                $it['--password-for'] = $same[3]
                $it['--salvage'] = $same[4]
                $it['--keep-conformance'] = $same[8]
                $it['--out-dir'] = $same[5]
                $it['-j'] = $same[6]
                $it['--jobs'] = $same[6]
                $it['--skip-existing'] = $same[7]
                $it
            }
            Arguments = @('files pdf')
            Many = $true
        }
        'optimize' = @{
            Commands = [ordered]@{}
            Options = & {
                $it = [System.Collections.Hashtable]::new([System.StringComparer]::Ordinal)
                $it['--linearize'] = @{ What = $null; Says = 'The first page comes first' }
                $it['--recursive'] = $same[0]
                $it['--sort'] = $same[1]
                $it['--password-file'] = $same[2]
                $it['--password-for'] = $same[3]
                $it['--salvage'] = $same[4]
                $it['--keep-conformance'] = $same[8]
                $it['--out-dir'] = $same[5]
                $it['-j'] = $same[6]
                $it['--jobs'] = $same[6]
                $it['--skip-existing'] = $same[7]
                $it
            }
            Arguments = @('files pdf')
            Many = $true
        }
        'archive' = @{
            Commands = [ordered]@{}
            Options = & {
                $it = [System.Collections.Hashtable]::new([System.StringComparer]::Ordinal)
                $it['--to'] = @{ What = 'words pdfa-2b pdfa-2u pdfa-3b'; Says = 'Part and level of the standard; 3b may hold files (one of pdfa-2b, pdfa-2u, pdfa-3b; default pdfa-2b)' }
                $it['--substitute-fonts'] = $same[30]
                $it['--recursive'] = $same[0]
                $it['--sort'] = $same[1]
                $it['--password-file'] = $same[2]
                $it['--password-for'] = $same[3]
                $it['--salvage'] = $same[4]
                $it['--keep-conformance'] = $same[8]
                $it['--out-dir'] = $same[5]
                $it['-j'] = $same[6]
                $it['--jobs'] = $same[6]
                $it['--skip-existing'] = $same[7]
                $it
            }
            Arguments = @('files pdf')
            Many = $true
        }
        'check' = @{
            Commands = [ordered]@{}
            Options = & {
                $it = [System.Collections.Hashtable]::new([System.StringComparer]::Ordinal)
                $it['--for'] = @{ What = 'words pdfa-1a pdfa-1b pdfa-2a pdfa-2b pdfa-2u pdfa-3a pdfa-3b pdfa-3u pdfa-4 pdfa-4e pdfa-4f pdfua-1 pdfua-2'; Says = 'What it is to be, instead of what it claims (one of pdfa-1a, pdfa-1b, pdfa-2a, pdfa-2b, pdfa-2u, pdfa-3a, pdfa-3b, pdfa-3u, pdfa-4, pdfa-4e, pdfa-4f, pdfua-1, pdfua-2)' }
                $it['--recursive'] = $same[0]
                $it['--sort'] = $same[1]
                $it['--password-file'] = $same[2]
                $it['--password-for'] = $same[3]
                $it['--salvage'] = $same[4]
                $it['--out-dir'] = $same[5]
                $it['-j'] = $same[6]
                $it['--jobs'] = $same[6]
                $it['--skip-existing'] = $same[7]
                $it
            }
            Arguments = @('files pdf')
            Many = $true
        }
        'invoice' = @{
            Commands = [ordered]@{
                'attach' = 'Put an invoice in XML into a PDF, as Factur-X and ZUGFeRD want it'
                'show' = 'Show the invoice that a PDF holds: file, level, profile'
            }
            Options = [System.Collections.Hashtable]::new([System.StringComparer]::Ordinal)
            Arguments = @()
            Many = $false
        }
        'invoice attach' = @{
            Commands = [ordered]@{}
            Options = & {
                $it = [System.Collections.Hashtable]::new([System.StringComparer]::Ordinal)
                $it['--level'] = @{ What = 'words minimum basic-wl basic en16931 extended xrechnung'; Says = 'Level of the XML, where it does not say it (one of minimum, basic-wl, basic, en16931, extended, xrechnung)' }
                $it['--replace'] = @{ What = $null; Says = 'Put it in the place of an invoice of the same name' }
                $it['--substitute-fonts'] = $same[30]
                $it['--recursive'] = $same[0]
                $it['--sort'] = $same[1]
                $it['--password-file'] = $same[2]
                $it['--password-for'] = $same[3]
                $it['--salvage'] = $same[4]
                $it['--keep-conformance'] = $same[8]
                $it
            }
            Arguments = @('files pdf xml')
            Many = $true
        }
        'invoice show' = @{
            Commands = [ordered]@{}
            Options = & {
                $it = [System.Collections.Hashtable]::new([System.StringComparer]::Ordinal)
                $it['--xml'] = @{ What = $null; Says = 'The XML itself' }
                $it['--recursive'] = $same[0]
                $it['--sort'] = $same[1]
                $it['--password-file'] = $same[2]
                $it['--password-for'] = $same[3]
                $it['--salvage'] = $same[4]
                $it['--out-dir'] = $same[5]
                $it['-j'] = $same[6]
                $it['--jobs'] = $same[6]
                $it['--skip-existing'] = $same[7]
                $it
            }
            Arguments = @('files pdf')
            Many = $true
        }
        'form' = @{
            Commands = [ordered]@{
                'show' = 'List the fields of a form with their values'
                'fill' = 'Fill the fields of a form'
                'flatten' = 'Make form fields a part of their pages'
            }
            Options = [System.Collections.Hashtable]::new([System.StringComparer]::Ordinal)
            Arguments = @()
            Many = $false
        }
        'form show' = @{
            Commands = [ordered]@{}
            Options = & {
                $it = [System.Collections.Hashtable]::new([System.StringComparer]::Ordinal)
                $it['--recursive'] = $same[0]
                $it['--sort'] = $same[1]
                $it['--password-file'] = $same[2]
                $it['--password-for'] = $same[3]
                $it['--salvage'] = $same[4]
                $it['--out-dir'] = $same[5]
                $it['-j'] = $same[6]
                $it['--jobs'] = $same[6]
                $it['--skip-existing'] = $same[7]
                $it
            }
            Arguments = @('files pdf')
            Many = $true
        }
        'form fill' = @{
            Commands = [ordered]@{}
            Options = & {
                $it = [System.Collections.Hashtable]::new([System.StringComparer]::Ordinal)
                $it['--data'] = @{ What = 'files json csv tsv fdf'; Says = 'Values by name: JSON, CSV with the names in its first line, or FDF' }
                $it['--values'] = @{ What = 'none'; Says = 'Values by name, such as {"Name":"Ada","Agreed":true}' }
                $it['--each'] = @{ What = $null; Says = 'One PDF for each line of a CSV, or each object of a JSON list' }
                $it['--name'] = @{ What = 'none'; Says = 'Names of those PDFs, such as "{Name}-{n}": {n} counts them, other words are fields (at most 200 characters; default {n})' }
                $it['--flatten'] = @{ What = $null; Says = 'Make what is filled in a part of the pages, so that nobody changes it' }
                $it['--font-file'] = @{ What = 'files ttf otf'; Says = 'Font file for values that the form has no letters for' }
                $it['--incremental'] = $same[9]
                $it['--recursive'] = $same[0]
                $it['--sort'] = $same[1]
                $it['--password-file'] = $same[2]
                $it['--password-for'] = $same[3]
                $it['--salvage'] = $same[4]
                $it['--keep-conformance'] = $same[8]
                $it['--out-dir'] = $same[5]
                $it['-j'] = $same[6]
                $it['--jobs'] = $same[6]
                $it['--skip-existing'] = $same[7]
                $it
            }
            Arguments = @('files pdf')
            Many = $true
        }
        'form flatten' = @{
            Commands = [ordered]@{}
            Options = & {
                $it = [System.Collections.Hashtable]::new([System.StringComparer]::Ordinal)
                $it['--recursive'] = $same[0]
                $it['--sort'] = $same[1]
                $it['--password-file'] = $same[2]
                $it['--password-for'] = $same[3]
                $it['--salvage'] = $same[4]
                $it['--keep-conformance'] = $same[8]
                $it['--out-dir'] = $same[5]
                $it['-j'] = $same[6]
                $it['--jobs'] = $same[6]
                $it['--skip-existing'] = $same[7]
                $it
            }
            Arguments = @('files pdf')
            Many = $true
        }
        'extract-text' = @{
            Commands = [ordered]@{}
            Options = & {
                $it = [System.Collections.Hashtable]::new([System.StringComparer]::Ordinal)
                $it['--pages'] = $same[31]
                $it['--ocr'] = $same[32]
                $it['--allow-empty'] = $same[33]
                $it['--recursive'] = $same[0]
                $it['--sort'] = $same[1]
                $it['--password-file'] = $same[2]
                $it['--password-for'] = $same[3]
                $it['--salvage'] = $same[4]
                $it['--out-dir'] = $same[5]
                $it['-j'] = $same[6]
                $it['--jobs'] = $same[6]
                $it['--skip-existing'] = $same[7]
                $it
            }
            Arguments = @('files pdf')
            Many = $true
        }
        'to-json' = @{
            Commands = [ordered]@{}
            Options = & {
                $it = [System.Collections.Hashtable]::new([System.StringComparer]::Ordinal)
                $it['--pages'] = $same[31]
                $it['--ocr'] = $same[32]
                $it['--recursive'] = $same[0]
                $it['--sort'] = $same[1]
                $it['--password-file'] = $same[2]
                $it['--password-for'] = $same[3]
                $it['--salvage'] = $same[4]
                $it['--out-dir'] = $same[5]
                $it['-j'] = $same[6]
                $it['--jobs'] = $same[6]
                $it['--skip-existing'] = $same[7]
                $it
            }
            Arguments = @('files pdf')
            Many = $true
        }
        'markdown' = @{
            Commands = [ordered]@{}
            Options = & {
                $it = [System.Collections.Hashtable]::new([System.StringComparer]::Ordinal)
                $it['--mode'] = @{ What = 'words developer academic rag'; Says = 'developer: links. academic: a rule between pages too. rag: plain text across pages, for retrieval (one of developer, academic, rag; default developer)' }
                $it['--output-format'] = @{ What = 'words json markdown jsonl source-pack'; Says = 'What comes out; source-pack needs mode rag (one of json, markdown, jsonl, source-pack; default markdown)' }
                $it['--pages'] = $same[31]
                $it['--no-anchors'] = @{ What = $null; Says = 'Leave out the anchors where pages begin (on this machine only)' }
                $it['--ocr'] = $same[32]
                $it['--allow-empty'] = $same[33]
                $it['--recursive'] = $same[0]
                $it['--sort'] = $same[1]
                $it['--password-file'] = $same[2]
                $it['--password-for'] = $same[3]
                $it['--salvage'] = $same[4]
                $it['--out-dir'] = $same[5]
                $it['-j'] = $same[6]
                $it['--jobs'] = $same[6]
                $it['--skip-existing'] = $same[7]
                $it
            }
            Arguments = @('files pdf')
            Many = $true
        }
        'tables' = @{
            Commands = [ordered]@{}
            Options = & {
                $it = [System.Collections.Hashtable]::new([System.StringComparer]::Ordinal)
                $it['--format'] = @{ What = 'words csv csv-files xlsx json markdown'; Says = 'csv: one after the other, an empty line between. csv-files: one file for each table. xlsx: a workbook (one of csv, csv-files, xlsx, json, markdown; default csv)' }
                $it['--pages'] = @{ What = 'none'; Says = 'Pages to read, instead of all, such as 1-3,7' }
                $it['--ocr'] = @{ What = $null; Says = 'Recognise the words of pages without text first, as `pdftool ocr` does' }
                $it['--recursive'] = $same[0]
                $it['--sort'] = $same[1]
                $it['--password-file'] = $same[2]
                $it['--password-for'] = $same[3]
                $it['--salvage'] = $same[4]
                $it['--out-dir'] = $same[5]
                $it['-j'] = $same[6]
                $it['--jobs'] = $same[6]
                $it['--skip-existing'] = $same[7]
                $it
            }
            Arguments = @('files pdf')
            Many = $true
        }
        'voice-preview' = @{
            Commands = [ordered]@{}
            Options = & {
                $it = [System.Collections.Hashtable]::new([System.StringComparer]::Ordinal)
                $it['--output-format'] = @{ What = 'words mp3 wav'; Says = 'Sound format (one of mp3, wav; default mp3)' }
                $it['--voice-style'] = $same[34]
                $it['--voice-id'] = $same[35]
                $it['--language'] = $same[36]
                $it['--speed'] = $same[37]
                $it
            }
            Arguments = @('none')
            Many = $true
        }
        'audiobook' = @{
            Commands = [ordered]@{}
            Options = & {
                $it = [System.Collections.Hashtable]::new([System.StringComparer]::Ordinal)
                $it['--output-format'] = @{ What = 'words mp3 m4b mp4'; Says = 'Sound format (one of mp3, m4b, mp4)' }
                $it['--voice-style'] = $same[34]
                $it['--voice-id'] = $same[35]
                $it['--language'] = $same[36]
                $it['--speed'] = $same[37]
                $it['--page-range'] = $same[38]
                $it['--normalize-pauses'] = @{ What = $null; Says = 'Even out pauses (the default)' }
                $it['--no-normalize-pauses'] = @{ What = $null; Says = 'Turn --normalize-pauses off' }
                $it['--preserve-chapters'] = @{ What = $null; Says = 'Keep chapters (the default)' }
                $it['--no-preserve-chapters'] = @{ What = $null; Says = 'Turn --preserve-chapters off' }
                $it['--pronunciation-fixes'] = @{ What = 'none'; Says = 'Pronunciation fixes: JSON, or lines word==said; @FILE reads a file' }
                $it['--asides'] = $same[39]
                $it['--subtitles'] = $same[40]
                $it['--ocr'] = $same[32]
                $it['--recursive'] = $same[0]
                $it['--sort'] = $same[1]
                $it['--password-file'] = $same[2]
                $it['--password-for'] = $same[3]
                $it['--salvage'] = $same[4]
                $it['--out-dir'] = $same[5]
                $it['-j'] = $same[6]
                $it['--jobs'] = $same[6]
                $it['--skip-existing'] = $same[7]
                $it['--detach'] = $same[41]
                $it['--wait'] = $same[42]
                $it['--no-download'] = $same[43]
                $it['--notify'] = $same[44]
                $it['--on-done'] = $same[45]
                $it['--again'] = $same[46]
                $it['-y'] = $same[47]
                $it['--yes'] = $same[47]
                $it
            }
            Arguments = @('files pdf')
            Many = $true
        }
        'narrate' = @{
            Commands = [ordered]@{}
            Options = & {
                $it = [System.Collections.Hashtable]::new([System.StringComparer]::Ordinal)
                $it['--output-format'] = @{ What = 'words mp4'; Says = 'Format of the narration (such as mp4; default mp4)' }
                $it['--voice-style'] = $same[34]
                $it['--speed'] = $same[37]
                $it['--page-range'] = $same[38]
                $it['--voice-id'] = @{ What = 'none'; Says = 'Voice id, as pdftool voices lists them (on this machine only)' }
                $it['--language'] = @{ What = 'words en'; Says = 'Language to be spoken (such as en; on this machine only)' }
                $it['--pronunciation-fixes'] = @{ What = 'none'; Says = 'Pronunciation fixes: JSON, or lines word==said; @FILE reads a file (on this machine only)' }
                $it['--blank-seconds'] = @{ What = 'none'; Says = 'Seconds that a page without text is shown (default 3; on this machine only)' }
                $it['--asides'] = $same[39]
                $it['--subtitles'] = $same[40]
                $it['--ocr'] = $same[32]
                $it['--recursive'] = $same[0]
                $it['--sort'] = $same[1]
                $it['--password-file'] = $same[2]
                $it['--password-for'] = $same[3]
                $it['--salvage'] = $same[4]
                $it['--out-dir'] = $same[5]
                $it['-j'] = $same[6]
                $it['--jobs'] = $same[6]
                $it['--skip-existing'] = $same[7]
                $it['--detach'] = $same[41]
                $it['--wait'] = $same[42]
                $it['--no-download'] = $same[43]
                $it['--notify'] = $same[44]
                $it['--on-done'] = $same[45]
                $it['--again'] = $same[46]
                $it['-y'] = $same[47]
                $it['--yes'] = $same[47]
                $it
            }
            Arguments = @('files pdf')
            Many = $true
        }
        'translate-and-speak' = @{
            Commands = [ordered]@{}
            Options = & {
                $it = [System.Collections.Hashtable]::new([System.StringComparer]::Ordinal)
                $it['--target-language'] = @{ What = 'words hi es fr'; Says = 'Language to translate into (such as hi, es, fr; required)' }
                $it['--source-language'] = @{ What = 'none'; Says = 'Language of the PDF' }
                $it['--output-format'] = @{ What = 'none'; Says = 'Sound format' }
                $it['--voice-style'] = $same[34]
                $it['--speed'] = $same[37]
                $it['--page-range'] = $same[38]
                $it['--segmentation-mode'] = @{ What = 'words chapters pages'; Says = 'How the audio is cut; pages for slides (one of chapters, pages)' }
                $it['--translation-glossary'] = @{ What = 'none'; Says = 'Glossary' }
                $it['--recursive'] = $same[0]
                $it['--sort'] = $same[1]
                $it['--password-file'] = $same[2]
                $it['--password-for'] = $same[3]
                $it['--out-dir'] = $same[5]
                $it['-j'] = $same[6]
                $it['--jobs'] = $same[6]
                $it['--skip-existing'] = $same[7]
                $it['--detach'] = $same[41]
                $it['--wait'] = $same[42]
                $it['--no-download'] = $same[43]
                $it['--notify'] = $same[44]
                $it['--on-done'] = $same[45]
                $it['--again'] = $same[46]
                $it['-y'] = $same[47]
                $it['--yes'] = $same[47]
                $it
            }
            Arguments = @('files pdf')
            Many = $true
        }
        'account' = @{
            Commands = [ordered]@{}
            Options = [System.Collections.Hashtable]::new([System.StringComparer]::Ordinal)
            Arguments = @()
            Many = $false
        }
        'openapi' = @{
            Commands = [ordered]@{}
            Options = [System.Collections.Hashtable]::new([System.StringComparer]::Ordinal)
            Arguments = @()
            Many = $false
        }
        'run' = @{
            Commands = [ordered]@{}
            Options = & {
                $it = [System.Collections.Hashtable]::new([System.StringComparer]::Ordinal)
                $it['--as-job'] = @{ What = $null; Says = 'Hand all steps to the service as one job: one PDF is sent, once' }
                $it['--detach'] = $same[41]
                $it['--wait'] = $same[42]
                $it['--no-download'] = $same[43]
                $it['--notify'] = $same[44]
                $it['--on-done'] = $same[45]
                $it
            }
            Arguments = @('files json', 'files')
            Many = $true
        }
        'jobs' = @{
            Commands = [ordered]@{
                'list' = 'List jobs, the oldest first'
                'status' = 'Show what the service says of a job'
                'watch' = 'Watch jobs to their end; all unfinished by default'
                'wait' = 'The same in plain lines; --timeout ends it with exit code 8'
                'download' = 'Fetch the result of a finished job'
                'cancel' = 'End jobs on the service; what they set aside is returned'
                'forget' = 'Take jobs out of the list'
            }
            Options = [System.Collections.Hashtable]::new([System.StringComparer]::Ordinal)
            Arguments = @()
            Many = $false
        }
        'jobs list' = @{
            Commands = [ordered]@{}
            Options = & {
                $it = [System.Collections.Hashtable]::new([System.StringComparer]::Ordinal)
                $it['--refresh'] = @{ What = $null; Says = 'Ask the service for those that have not ended' }
                $it['--calls'] = @{ What = $null; Says = 'List paid calls instead of jobs' }
                $it
            }
            Arguments = @()
            Many = $false
        }
        'jobs status' = @{
            Commands = [ordered]@{}
            Options = [System.Collections.Hashtable]::new([System.StringComparer]::Ordinal)
            Arguments = @('asked jobs')
            Many = $false
        }
        'jobs watch' = @{
            Commands = [ordered]@{}
            Options = & {
                $it = [System.Collections.Hashtable]::new([System.StringComparer]::Ordinal)
                $it['--no-download'] = $same[43]
                $it['--notify'] = $same[44]
                $it['--on-done'] = $same[45]
                $it
            }
            Arguments = @('asked jobs')
            Many = $true
        }
        'jobs wait' = @{
            Commands = [ordered]@{}
            Options = & {
                $it = [System.Collections.Hashtable]::new([System.StringComparer]::Ordinal)
                $it['--no-download'] = $same[43]
                $it['--notify'] = $same[44]
                $it['--on-done'] = $same[45]
                $it
            }
            Arguments = @('asked jobs')
            Many = $true
        }
        'jobs download' = @{
            Commands = [ordered]@{}
            Options = [System.Collections.Hashtable]::new([System.StringComparer]::Ordinal)
            Arguments = @('asked jobs')
            Many = $false
        }
        'jobs cancel' = @{
            Commands = [ordered]@{}
            Options = [System.Collections.Hashtable]::new([System.StringComparer]::Ordinal)
            Arguments = @('asked jobs')
            Many = $true
        }
        'jobs forget' = @{
            Commands = [ordered]@{}
            Options = & {
                $it = [System.Collections.Hashtable]::new([System.StringComparer]::Ordinal)
                $it['--ended'] = @{ What = $null; Says = 'All that have ended, and paid calls that were answered' }
                $it
            }
            Arguments = @('asked jobs')
            Many = $true
        }
        'workflow' = @{
            Commands = [ordered]@{
                'submit' = 'Run any workflow by the service''s name for it'
                'compress' = 'Make a PDF of up to 1 GiB smaller'
                'folder' = 'Process a ZIP of up to 100 files, or the PDFs of a folder'
                'source-pack' = 'Make a verified source pack of a text PDF'
                'resume' = 'Go on with jobs that were not handed over completely'
            }
            Options = [System.Collections.Hashtable]::new([System.StringComparer]::Ordinal)
            Arguments = @()
            Many = $false
        }
        'workflow submit' = @{
            Commands = [ordered]@{}
            Options = & {
                $it = [System.Collections.Hashtable]::new([System.StringComparer]::Ordinal)
                $it['--option'] = $same[48]
                $it['--idempotency-key'] = $same[49]
                $it['--detach'] = $same[41]
                $it['--wait'] = $same[42]
                $it['--no-download'] = $same[43]
                $it['--notify'] = $same[44]
                $it['--on-done'] = $same[45]
                $it
            }
            Arguments = @('none', 'files')
            Many = $false
        }
        'workflow compress' = @{
            Commands = [ordered]@{}
            Options = & {
                $it = [System.Collections.Hashtable]::new([System.StringComparer]::Ordinal)
                $it['--option'] = $same[48]
                $it['--idempotency-key'] = $same[49]
                $it['--detach'] = $same[41]
                $it['--wait'] = $same[42]
                $it['--no-download'] = $same[43]
                $it['--notify'] = $same[44]
                $it['--on-done'] = $same[45]
                $it
            }
            Arguments = @('files')
            Many = $false
        }
        'workflow folder' = @{
            Commands = [ordered]@{}
            Options = & {
                $it = [System.Collections.Hashtable]::new([System.StringComparer]::Ordinal)
                $it['--option'] = $same[48]
                $it['--idempotency-key'] = $same[49]
                $it['--detach'] = $same[41]
                $it['--wait'] = $same[42]
                $it['--no-download'] = $same[43]
                $it['--notify'] = $same[44]
                $it['--on-done'] = $same[45]
                $it
            }
            Arguments = @('folders')
            Many = $false
        }
        'workflow source-pack' = @{
            Commands = [ordered]@{}
            Options = & {
                $it = [System.Collections.Hashtable]::new([System.StringComparer]::Ordinal)
                $it['--mode'] = @{ What = 'none'; Says = 'How text is written (rag)' }
                $it['--option'] = $same[48]
                $it['--idempotency-key'] = $same[49]
                $it['--detach'] = $same[41]
                $it['--wait'] = $same[42]
                $it['--no-download'] = $same[43]
                $it['--notify'] = $same[44]
                $it['--on-done'] = $same[45]
                $it
            }
            Arguments = @('files')
            Many = $false
        }
        'workflow resume' = @{
            Commands = [ordered]@{}
            Options = & {
                $it = [System.Collections.Hashtable]::new([System.StringComparer]::Ordinal)
                $it['--detach'] = $same[41]
                $it['--wait'] = $same[42]
                $it['--no-download'] = $same[43]
                $it['--notify'] = $same[44]
                $it['--on-done'] = $same[45]
                $it
            }
            Arguments = @('asked jobs')
            Many = $true
        }
        'redact' = @{
            Commands = [ordered]@{
                'inspect' = 'Find what to black out, and write regions for review'
                'review' = 'Look at the regions: in a PDF, or on a page on which they are edited'
                'apply' = 'Remove what is in the regions, and prove it'
                'check' = 'Look for what can still be read in a redacted PDF; exit code 3 where something can or pictures were not read'
            }
            Options = & {
                $it = [System.Collections.Hashtable]::new([System.StringComparer]::Ordinal)
                $it['--find'] = $same[50]
                $it['--regex'] = $same[51]
                $it['--kinds'] = $same[52]
                $it['--ocr'] = $same[53]
                $it['--yes'] = @{ What = $null; Says = 'Apply what is found and check the output, without a review' }
                $it['--label'] = $same[54]
                $it['--fill'] = $same[55]
                $it['--strict'] = $same[56]
                $it['--raster'] = $same[57]
                $it['--clean'] = $same[58]
                $it['--password-file'] = $same[59]
                $it
            }
            Arguments = @('files')
            Many = $false
        }
        'redact inspect' = @{
            Commands = [ordered]@{}
            Options = & {
                $it = [System.Collections.Hashtable]::new([System.StringComparer]::Ordinal)
                $it['--find'] = $same[50]
                $it['--regex'] = $same[51]
                $it['--kinds'] = $same[52]
                $it['--ocr'] = $same[53]
                $it['--password-file'] = $same[59]
                $it['--option'] = $same[48]
                $it['--idempotency-key'] = $same[49]
                $it['--detach'] = $same[41]
                $it['--wait'] = $same[42]
                $it['--no-download'] = $same[43]
                $it['--notify'] = $same[44]
                $it['--on-done'] = $same[45]
                $it
            }
            Arguments = @('files')
            Many = $false
        }
        'redact review' = @{
            Commands = [ordered]@{}
            Options = & {
                $it = [System.Collections.Hashtable]::new([System.StringComparer]::Ordinal)
                $it['--regions'] = @{ What = 'files'; Says = 'What redact inspect wrote' }
                $it['--html'] = @{ What = 'files'; Says = 'Write a page for the browser, which saves the reviewed regions' }
                $it['--password-file'] = $same[59]
                $it
            }
            Arguments = @('files')
            Many = $false
        }
        'redact apply' = @{
            Commands = [ordered]@{}
            Options = & {
                $it = [System.Collections.Hashtable]::new([System.StringComparer]::Ordinal)
                $it['--regions'] = @{ What = 'files'; Says = 'Regions that were reviewed' }
                $it['--reviewed'] = @{ What = $null; Says = 'Say that a person has looked at the regions' }
                $it['--label'] = $same[54]
                $it['--fill'] = $same[55]
                $it['--strict'] = $same[56]
                $it['--raster'] = $same[57]
                $it['--clean'] = $same[58]
                $it['--password-file'] = $same[59]
                $it['--option'] = $same[48]
                $it['--idempotency-key'] = $same[49]
                $it['--detach'] = $same[41]
                $it['--wait'] = $same[42]
                $it['--no-download'] = $same[43]
                $it['--notify'] = $same[44]
                $it['--on-done'] = $same[45]
                $it
            }
            Arguments = @('files')
            Many = $false
        }
        'redact check' = @{
            Commands = [ordered]@{}
            Options = & {
                $it = [System.Collections.Hashtable]::new([System.StringComparer]::Ordinal)
                $it['--regions'] = @{ What = 'files'; Says = 'Regions in which nothing may be left' }
                $it['--find'] = @{ What = 'none'; Says = 'Text that must be nowhere in the file; may be repeated' }
                $it['--label'] = @{ What = 'none'; Says = 'What was written into the boxes' }
                $it['--password-file'] = $same[59]
                $it
            }
            Arguments = @('files')
            Many = $false
        }
        'auth' = @{
            Commands = [ordered]@{
                'login' = 'Store an API key of this person, after checking it'
                'logout' = 'Forget the stored key'
                'status' = 'Show the key in use (masked), where it comes from, and credits'
            }
            Options = [System.Collections.Hashtable]::new([System.StringComparer]::Ordinal)
            Arguments = @()
            Many = $false
        }
        'auth login' = @{
            Commands = [ordered]@{}
            Options = & {
                $it = [System.Collections.Hashtable]::new([System.StringComparer]::Ordinal)
                $it['--with-token'] = @{ What = $null; Says = 'Read the key from standard input' }
                $it['--no-verify'] = @{ What = $null; Says = 'Do not ask the service whether it takes the key' }
                $it['--base-url'] = @{ What = 'none'; Says = 'Address of the service, stored with the key' }
                $it
            }
            Arguments = @()
            Many = $false
        }
        'auth logout' = @{
            Commands = [ordered]@{}
            Options = [System.Collections.Hashtable]::new([System.StringComparer]::Ordinal)
            Arguments = @()
            Many = $false
        }
        'auth status' = @{
            Commands = [ordered]@{}
            Options = & {
                $it = [System.Collections.Hashtable]::new([System.StringComparer]::Ordinal)
                $it['--offline'] = @{ What = $null; Says = 'Ask the service nothing' }
                $it
            }
            Arguments = @()
            Many = $false
        }
        'config' = @{
            Commands = [ordered]@{
                'get' = 'Print a setting'
                'set' = 'Store a setting'
                'unset' = 'Forget a setting'
                'list' = 'Print all settings'
                'path' = 'Print the name of the file'
            }
            Options = [System.Collections.Hashtable]::new([System.StringComparer]::Ordinal)
            Arguments = @()
            Many = $false
        }
        'config get' = @{
            Commands = [ordered]@{}
            Options = [System.Collections.Hashtable]::new([System.StringComparer]::Ordinal)
            Arguments = @('asked settings')
            Many = $false
        }
        'config set' = @{
            Commands = [ordered]@{}
            Options = [System.Collections.Hashtable]::new([System.StringComparer]::Ordinal)
            Arguments = @('asked settings', 'none')
            Many = $false
        }
        'config unset' = @{
            Commands = [ordered]@{}
            Options = [System.Collections.Hashtable]::new([System.StringComparer]::Ordinal)
            Arguments = @('asked settings')
            Many = $false
        }
        'config list' = @{
            Commands = [ordered]@{}
            Options = [System.Collections.Hashtable]::new([System.StringComparer]::Ordinal)
            Arguments = @()
            Many = $false
        }
        'config path' = @{
            Commands = [ordered]@{}
            Options = [System.Collections.Hashtable]::new([System.StringComparer]::Ordinal)
            Arguments = @()
            Many = $false
        }
        'doctor' = @{
            Commands = [ordered]@{}
            Options = & {
                $it = [System.Collections.Hashtable]::new([System.StringComparer]::Ordinal)
                $it['--online'] = @{ What = $null; Says = 'Also ask the service' }
                $it['--install'] = @{ What = 'words speech'; Says = 'Have npm fetch optional packages first' }
                $it
            }
            Arguments = @()
            Many = $false
        }
        'api' = @{
            Commands = [ordered]@{}
            Options = & {
                $it = [System.Collections.Hashtable]::new([System.StringComparer]::Ordinal)
                $it['-F'] = @{ What = 'none'; Says = 'A form field: name=value, or name=@file' }
                $it['--field'] = @{ What = 'none'; Says = 'A form field as text: name=value; -f for short' }
                $it['--input'] = @{ What = 'files'; Says = 'Send this file as the body; - is standard input' }
                $it
            }
            Arguments = @('none', 'none')
            Many = $false
        }
        'voices' = @{
            Commands = [ordered]@{}
            Options = & {
                $it = [System.Collections.Hashtable]::new([System.StringComparer]::Ordinal)
                $it['--language'] = @{ What = 'none'; Says = 'Those that speak it, such as de or en-GB' }
                $it
            }
            Arguments = @()
            Many = $false
        }
        'completion' = @{
            Commands = [ordered]@{}
            Options = [System.Collections.Hashtable]::new([System.StringComparer]::Ordinal)
            Arguments = @('words bash zsh fish powershell')
            Many = $false
        }
        'mcp' = @{
            Commands = [ordered]@{
                'tools' = 'List the tools that a client will see'
                'install' = 'Write the configuration of a client, after asking'
            }
            Options = & {
                $it = [System.Collections.Hashtable]::new([System.StringComparer]::Ordinal)
                $it['--root'] = $same[60]
                $it['--out-dir'] = $same[61]
                $it['--prefix'] = $same[62]
                $it['--allow-overwrite'] = $same[63]
                $it
            }
            Arguments = @()
            Many = $false
        }
        'mcp tools' = @{
            Commands = [ordered]@{}
            Options = & {
                $it = [System.Collections.Hashtable]::new([System.StringComparer]::Ordinal)
                $it['--root'] = $same[60]
                $it['--out-dir'] = $same[61]
                $it['--prefix'] = $same[62]
                $it['--allow-overwrite'] = $same[63]
                $it
            }
            Arguments = @()
            Many = $false
        }
        'mcp install' = @{
            Commands = [ordered]@{}
            Options = & {
                $it = [System.Collections.Hashtable]::new([System.StringComparer]::Ordinal)
                $it['--client'] = @{ What = 'words claude-desktop claude-code cursor vscode codex gemini windsurf'; Says = 'One of claude-desktop, claude-code, cursor, vscode, codex, gemini, windsurf' }
                $it['--print'] = @{ What = $null; Says = 'Print what would be written, and write nothing' }
                $it['-y'] = @{ What = $null; Says = 'Write it without asking' }
                $it['--yes'] = @{ What = $null; Says = 'Write it without asking' }
                $it['--root'] = $same[60]
                $it['--out-dir'] = $same[61]
                $it['--prefix'] = $same[62]
                $it['--allow-overwrite'] = $same[63]
                $it
            }
            Arguments = @()
            Many = $false
        }
        'serve' = @{
            Commands = [ordered]@{
                'keys' = 'API keys of this server'
                'credits' = 'Credits of this server'
                'migrate' = 'Bring a database to the version of this program'
                'move' = 'Carry everything from a folder to a database and a bucket'
            }
            Options = & {
                $it = [System.Collections.Hashtable]::new([System.StringComparer]::Ordinal)
                $it['--host'] = @{ What = 'none'; Says = 'Address to listen on (127.0.0.1)' }
                $it['--port'] = @{ What = 'none'; Says = 'Port to listen on (8787); 0 takes a free one' }
                $it['--admin-port'] = $same[64]
                $it['--key-file'] = @{ What = 'files'; Says = 'Write the first key to this new file instead of showing it' }
                $it['--no-workers'] = @{ What = $null; Says = 'Leave workflow jobs to pdftool work (needs --database)' }
                $it['--no-page'] = @{ What = $null; Says = 'Offer no web page at /' }
                $it['--page-key-file'] = @{ What = 'files'; Says = 'Key that the web page uses, so that nobody types one' }
                $it['--admin-key-file'] = @{ What = 'files'; Says = 'Key for the account area of the web page; made if the file is not there' }
                $it['--allow-public-page'] = @{ What = $null; Says = 'With --page-key-file, let other machines use the page too' }
                $it['--storage'] = $same[65]
                $it['--data'] = $same[66]
                $it['--database'] = $same[67]
                $it
            }
            Arguments = @()
            Many = $false
        }
        'serve keys' = @{
            Commands = [ordered]@{
                'create' = 'Make a key; it is shown once'
                'list' = 'Print keys and their credits'
                'revoke' = 'Refuse a key from now on'
            }
            Options = [System.Collections.Hashtable]::new([System.StringComparer]::Ordinal)
            Arguments = @()
            Many = $false
        }
        'serve keys create' = @{
            Commands = [ordered]@{}
            Options = & {
                $it = [System.Collections.Hashtable]::new([System.StringComparer]::Ordinal)
                $it['--data'] = $same[66]
                $it['--database'] = $same[67]
                $it['--label'] = @{ What = 'none'; Says = 'What it is for' }
                $it['--account'] = @{ What = 'none'; Says = 'For an account that is there, instead of a new one' }
                $it['--test'] = @{ What = $null; Says = 'Begin with sk_test_' }
                $it
            }
            Arguments = @()
            Many = $false
        }
        'serve keys list' = @{
            Commands = [ordered]@{}
            Options = & {
                $it = [System.Collections.Hashtable]::new([System.StringComparer]::Ordinal)
                $it['--data'] = $same[66]
                $it['--database'] = $same[67]
                $it
            }
            Arguments = @()
            Many = $false
        }
        'serve keys revoke' = @{
            Commands = [ordered]@{}
            Options = & {
                $it = [System.Collections.Hashtable]::new([System.StringComparer]::Ordinal)
                $it['--data'] = $same[66]
                $it['--database'] = $same[67]
                $it
            }
            Arguments = @('none')
            Many = $false
        }
        'serve credits' = @{
            Commands = [ordered]@{
                'grant' = 'Add credits'
            }
            Options = [System.Collections.Hashtable]::new([System.StringComparer]::Ordinal)
            Arguments = @()
            Many = $false
        }
        'serve credits grant' = @{
            Commands = [ordered]@{}
            Options = & {
                $it = [System.Collections.Hashtable]::new([System.StringComparer]::Ordinal)
                $it['--data'] = $same[66]
                $it['--database'] = $same[67]
                $it
            }
            Arguments = @('none', 'none')
            Many = $false
        }
        'serve migrate' = @{
            Commands = [ordered]@{}
            Options = & {
                $it = [System.Collections.Hashtable]::new([System.StringComparer]::Ordinal)
                $it['--database'] = $same[67]
                $it
            }
            Arguments = @()
            Many = $false
        }
        'serve move' = @{
            Commands = [ordered]@{}
            Options = & {
                $it = [System.Collections.Hashtable]::new([System.StringComparer]::Ordinal)
                $it['--from'] = @{ What = 'folders'; Says = 'Data folder of a server that is stopped' }
                $it['--to'] = @{ What = 'none'; Says = 'Where to: postgres://…,s3://bucket' }
                $it
            }
            Arguments = @()
            Many = $false
        }
        'work' = @{
            Commands = [ordered]@{}
            Options = & {
                $it = [System.Collections.Hashtable]::new([System.StringComparer]::Ordinal)
                $it['--database'] = $same[67]
                $it['--storage'] = $same[65]
                $it['--data'] = @{ What = 'folders'; Says = 'Folder of uploads and results that all servers share' }
                $it['--admin-port'] = $same[64]
                $it
            }
            Arguments = @()
            Many = $false
        }
        'help' = @{
            Commands = [ordered]@{}
            Options = [System.Collections.Hashtable]::new([System.StringComparer]::Ordinal)
            Arguments = @('words info merge split rotate pages encrypt decrypt meta bookmarks labels attach compress merge-compress images-to-pdf images-to-pdf-compress to-images images ocr stamp number overlay nup crop resize blank compare verify sign timestamp optimize archive check invoice form extract-text to-json markdown tables voice-preview audiobook narrate translate-and-speak account openapi run jobs workflow redact auth config doctor api voices completion mcp serve work help engines money exit-codes environment')
            Many = $true
        }
    }
    $enter = @{
        ' info' = 'info'
        ' pdf-info' = 'info'
        ' merge' = 'merge'
        ' split' = 'split'
        ' rotate' = 'rotate'
        ' pages' = 'pages'
        ' encrypt' = 'encrypt'
        ' protect' = 'encrypt'
        ' decrypt' = 'decrypt'
        ' meta' = 'meta'
        ' bookmarks' = 'bookmarks'
        ' labels' = 'labels'
        ' attach' = 'attach'
        ' compress' = 'compress'
        ' merge-compress' = 'merge-compress'
        ' images-to-pdf' = 'images-to-pdf'
        ' images-to-pdf-compress' = 'images-to-pdf-compress'
        ' to-images' = 'to-images'
        ' pdf-to-images' = 'to-images'
        ' images' = 'images'
        ' ocr' = 'ocr'
        ' ocr-pdf' = 'ocr'
        ' stamp' = 'stamp'
        ' number' = 'number'
        ' overlay' = 'overlay'
        ' nup' = 'nup'
        ' n-up' = 'nup'
        ' crop' = 'crop'
        ' resize' = 'resize'
        ' blank' = 'blank'
        ' compare' = 'compare'
        ' diff' = 'compare'
        ' verify' = 'verify'
        ' sign' = 'sign'
        ' timestamp' = 'timestamp'
        ' optimize' = 'optimize'
        ' archive' = 'archive'
        ' check' = 'check'
        ' invoice' = 'invoice'
        ' form' = 'form'
        ' extract-text' = 'extract-text'
        ' text' = 'extract-text'
        ' to-json' = 'to-json'
        ' pdf-to-json' = 'to-json'
        ' markdown' = 'markdown'
        ' pdf-structured-markdown' = 'markdown'
        ' tables' = 'tables'
        ' voice-preview' = 'voice-preview'
        ' audiobook' = 'audiobook'
        ' pdf-to-audiobook' = 'audiobook'
        ' pdf-to-speech' = 'audiobook'
        ' generate-audiobook' = 'audiobook'
        ' narrate' = 'narrate'
        ' presentation-narration' = 'narrate'
        ' translate-and-speak' = 'translate-and-speak'
        ' account' = 'account'
        ' openapi' = 'openapi'
        ' run' = 'run'
        ' jobs' = 'jobs'
        ' workflow' = 'workflow'
        ' redact' = 'redact'
        ' auth' = 'auth'
        ' config' = 'config'
        ' doctor' = 'doctor'
        ' api' = 'api'
        ' voices' = 'voices'
        ' completion' = 'completion'
        ' mcp' = 'mcp'
        ' serve' = 'serve'
        ' work' = 'work'
        ' help' = 'help'
        'pages take' = 'pages take'
        'pages drop' = 'pages drop'
        'pages reverse' = 'pages reverse'
        'pages order' = 'pages order'
        'pages explain' = 'pages explain'
        'meta show' = 'meta show'
        'meta set' = 'meta set'
        'meta clear' = 'meta clear'
        'bookmarks show' = 'bookmarks show'
        'bookmarks set' = 'bookmarks set'
        'bookmarks clear' = 'bookmarks clear'
        'labels show' = 'labels show'
        'labels set' = 'labels set'
        'labels clear' = 'labels clear'
        'attach list' = 'attach list'
        'attach add' = 'attach add'
        'attach extract' = 'attach extract'
        'attach remove' = 'attach remove'
        'ocr languages' = 'ocr languages'
        'ocr languages list' = 'ocr languages list'
        'ocr languages add' = 'ocr languages add'
        'invoice attach' = 'invoice attach'
        'invoice show' = 'invoice show'
        'form show' = 'form show'
        'form fill' = 'form fill'
        'form flatten' = 'form flatten'
        'jobs list' = 'jobs list'
        'jobs status' = 'jobs status'
        'jobs watch' = 'jobs watch'
        'jobs wait' = 'jobs wait'
        'jobs download' = 'jobs download'
        'jobs cancel' = 'jobs cancel'
        'jobs forget' = 'jobs forget'
        'workflow submit' = 'workflow submit'
        'workflow compress' = 'workflow compress'
        'workflow folder' = 'workflow folder'
        'workflow source-pack' = 'workflow source-pack'
        'workflow resume' = 'workflow resume'
        'redact inspect' = 'redact inspect'
        'redact review' = 'redact review'
        'redact apply' = 'redact apply'
        'redact check' = 'redact check'
        'auth login' = 'auth login'
        'auth logout' = 'auth logout'
        'auth status' = 'auth status'
        'config get' = 'config get'
        'config set' = 'config set'
        'config unset' = 'config unset'
        'config list' = 'config list'
        'config path' = 'config path'
        'mcp tools' = 'mcp tools'
        'mcp install' = 'mcp install'
        'serve keys' = 'serve keys'
        'serve credits' = 'serve credits'
        'serve migrate' = 'serve migrate'
        'serve move' = 'serve move'
        'serve keys create' = 'serve keys create'
        'serve keys list' = 'serve keys list'
        'serve keys revoke' = 'serve keys revoke'
        'serve credits grant' = 'serve credits grant'
    }

    $at = ''
    $value = $null
    $arguments = 0
    $elements = $commandAst.CommandElements | Select-Object -Skip 1
    foreach ($element in $elements) {
        if ($element.Extent.EndOffset -ge $cursorPosition -and $wordToComplete -ne '') { break }
        $word = $element.Extent.Text
        if ($null -ne $value) { $value = $null; continue }
        if ($word.StartsWith('-')) {
            foreach ($options in $places[$at].Options, $places[''].Options) {
                if ($options.ContainsKey($word) -and $null -ne $options[$word].What) { $value = $options[$word].What; break }
            }
            continue
        }
        $next = $enter["$at $word"]
        if ($null -ne $next) { $at = $next } else { $arguments++ }
    }

    function Offer([string] $what) {
        $words = $what -split ' '
        switch ($words[0]) {
            'files' {
                Get-ChildItem -Path "$wordToComplete*" -ErrorAction SilentlyContinue | Where-Object {
                    $_.PSIsContainer -or $words.Length -eq 1 -or $words -contains $_.Extension.TrimStart('.')
                } | ForEach-Object {
                    $name = (Resolve-Path -Relative -LiteralPath $_.FullName) -replace '^\.[\\/]', ''
                    $text = if ($name -match "[\s']") { "'" + ($name -replace "'", "''") + "'" } else { $name }
                    [System.Management.Automation.CompletionResult]::new($text, $_.Name, 'ProviderItem', $_.Name)
                }
            }
            'folders' {
                Get-ChildItem -Directory -Path "$wordToComplete*" -ErrorAction SilentlyContinue | ForEach-Object {
                    [System.Management.Automation.CompletionResult]::new($_.Name, $_.Name, 'ProviderContainer', $_.Name)
                }
            }
            'words' { $words | Select-Object -Skip 1 | Where-Object { $_.StartsWith($wordToComplete) } }
            'asked' { pdftool __complete $words[1] 2>$null | Where-Object { $_.StartsWith($wordToComplete) } }
        }
    }

    if ($null -ne $value) { Offer $value; return }
    if ($wordToComplete.StartsWith('-')) {
        foreach ($options in $places[$at].Options, $places[''].Options) {
            $options.Keys | Where-Object { $_.StartsWith($wordToComplete) } | Sort-Object -Unique | ForEach-Object {
                [System.Management.Automation.CompletionResult]::new($_, $_, 'ParameterName', $options[$_].Says)
            }
            if ($at -eq '') { break }
        }
        return
    }
    $place = $places[$at]
    if ($place.Commands.Count -gt 0) {
        if ($arguments -gt 0) { return }
        $place.Commands.Keys | Where-Object { $_.StartsWith($wordToComplete) } | ForEach-Object {
            [System.Management.Automation.CompletionResult]::new($_, $_, 'Command', $place.Commands[$_])
        }
        return
    }
    if ($place.Arguments.Count -eq 0) { return }
    if ($arguments -lt $place.Arguments.Count) { Offer $place.Arguments[$arguments] }
    elseif ($place.Many) { Offer $place.Arguments[$place.Arguments.Count - 1] }
}
