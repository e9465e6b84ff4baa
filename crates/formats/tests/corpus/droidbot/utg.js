var utg = 
{
  "nodes": [], "edges": [], "app_package": "com.example.notes"
}
